import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ArgumentError } from '../src/errors.ts';
import { openWhole, requireWritable, writeWhole } from '../src/files.ts';
import { itOnUnix, itWhere } from './support/itWhere.ts';

describe('openWhole', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-whole-'));
    path = join(folder, 'a.txt');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('leaves what is there until the whole file is', async () => {
    writeFileSync(path, 'before');
    const file = await openWhole(path);
    await file.write('af');
    await file.write(Buffer.from('ter'));
    expect(readFileSync(path, 'utf8')).to.equal('before');
    await file.commit();
    expect(readFileSync(path, 'utf8')).to.equal('after');
    expect(readdirSync(folder)).to.deep.equal(['a.txt']);
  });

  it('leaves no trace when it is abandoned, and the file when it is complete', async () => {
    const file = await openWhole(path);
    await file.write('half');
    await file.abandon();
    await file.abandon();
    expect(readdirSync(folder)).to.deep.equal([]);
    const other = await openWhole(path);
    await other.commit();
    await other.abandon();
    expect(readdirSync(folder)).to.deep.equal(['a.txt']);
  });

  it('lets two writers of one file pass: the last one to finish wins', async () => {
    const [one, two] = await Promise.all([openWhole(path), openWhole(path)]);
    await Promise.all([one.write('one'), two.write('two')]);
    await two.commit();
    await one.commit();
    expect(readFileSync(path, 'utf8')).to.equal('one');
    expect(readdirSync(folder)).to.deep.equal(['a.txt']);
  });

  it('follows links, which stay, and replaces what they lead to when it is whole', async () => {
    mkdirSync(join(folder, 'far'));
    writeFileSync(join(folder, 'far', 'b.txt'), 'before');
    symlinkSync(join('far', 'b.txt'), join(folder, 'link'));
    symlinkSync('link', path);
    const file = await openWhole(path);
    await file.write('after');
    expect(readFileSync(path, 'utf8')).to.equal('before');
    await file.commit();
    expect(lstatSync(path).isSymbolicLink()).to.equal(true);
    expect(readFileSync(join(folder, 'far', 'b.txt'), 'utf8')).to.equal('after');
    expect(readdirSync(join(folder, 'far'))).to.deep.equal(['b.txt']);
  });

  it('makes what a link leads to, and refuses links that lead to themselves', async () => {
    symlinkSync('b.txt', path);
    await writeWhole(path, 'new');
    expect(lstatSync(path).isSymbolicLink()).to.equal(true);
    expect(readFileSync(join(folder, 'b.txt'), 'utf8')).to.equal('new');
    const round = join(folder, 'round');
    symlinkSync('round', round);
    const error = await writeWhole(round, 'x').catch(caught => caught);
    expect(error).to.be.instanceOf(ArgumentError);
    expect(error.message).to.equal(`${round} cannot be used: its symbolic links form a loop; name another file`);
  });

  itWhere(process.getuid?.() === 0)('keeps the group of the file that it replaces', async () => {
    writeFileSync(path, 'before');
    chownSync(path, 0, 1);
    chmodSync(path, 0o640);
    await writeWhole(path, 'after');
    const { gid, mode } = statSync(path);
    expect([gid, mode & 0o777]).to.deep.equal([1, 0o640]);
  });

  itOnUnix('lets those read the file who could read the one that it replaces, and nobody else', async () => {
    // Also what the mask of the process would take away.
    for (const mode of [0o600, 0o640, 0o666]) {
      writeFileSync(path, 'before');
      chmodSync(path, mode);
      const file = await openWhole(path);
      const part = readdirSync(folder).find(name => name.endsWith('.part'))!;
      expect(statSync(join(folder, part)).mode & 0o777).to.equal(mode);
      await file.write('after');
      await file.commit();
      expect(statSync(path).mode & 0o777).to.equal(mode);
    }
  });

  itOnUnix('writes into a named pipe, which stays one', async () => {
    execFileSync('mkfifo', [path]);
    symlinkSync('a.txt', join(folder, 'link'));
    for (const name of [path, join(folder, 'link')]) {
      const read = readFile(path, 'utf8');
      const file = await openWhole(name);
      await file.write('through ');
      await file.write('a pipe');
      await file.commit();
      await file.abandon();
      expect(await read).to.equal('through a pipe');
      expect(lstatSync(path).isFIFO()).to.equal(true);
    }
    expect(readdirSync(folder)).to.have.members(['a.txt', 'link']);
  });

  it('cannot be completed once a write has failed', async () => {
    const file = await openWhole(path);
    await file.write('half');
    const failed = await file.write(7 as never).catch(error => error);
    expect(failed.message).to.include(`${path} cannot be written: `);
    const refused = await file.commit().catch(error => error);
    expect(refused.message).to.include(`${path} cannot be completed`);
    await file.abandon();
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it('refuses a folder that is not there, and the name of one that is', async () => {
    const nowhere = await openWhole(join(folder, 'none', 'a.txt')).catch(error => error);
    expect(nowhere).to.be.instanceOf(ArgumentError);
    expect(nowhere.message).to.match(/cannot be written: ENOENT.*; name a file in a folder that you may write/);
    const error = await writeWhole(join(folder, '.'), 'x').catch(caught => caught);
    expect(error).to.be.instanceOf(ArgumentError);
    expect(error.message).to.include('; name a file, not a folder');
  });
});

describe('writeWhole', () => {
  it('writes a text in one go, and nothing beside it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-whole-'));
    await writeWhole(join(folder, 'model.json'), '{"é":1}\n');
    expect(readdirSync(folder)).to.deep.equal(['model.json']);
    expect(readFileSync(join(folder, 'model.json'), 'utf8')).to.equal('{"é":1}\n');
    rmSync(folder, { recursive: true });
  });
});

describe('requireWritable', () => {
  let folder: string;
  const at = (name: string): string => join(folder, name);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-writable-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const refusal = (paths: readonly string[], appended?: readonly string[]): Promise<string> =>
    requireWritable(paths, appended).then(
      () => 'none',
      (error: Error) => error.message,
    );

  it('takes what can be written, changes none of it and leaves nothing', async () => {
    writeFileSync(at('there'), 'before');
    expect(await refusal([at('there'), at('new'), at('n'.repeat(255))], [at('there'), at('ledger')])).to.equal('none');
    expect(readdirSync(folder)).to.deep.equal(['there']);
    expect(readFileSync(at('there'), 'utf8')).to.equal('before');
  });

  it('refuses what cannot, and takes back what it had begun for the others', async () => {
    for (const [path, message] of [
      [at('none/new'), 'cannot be written: ENOENT'],
      [folder, 'cannot be written: it is a folder; name a file, not a folder'],
      [at('n'.repeat(256)), 'ENAMETOOLONG'],
    ] as const) {
      expect(await refusal([at('new'), path])).to.include(message);
      expect(readdirSync(folder)).to.deep.equal([]);
    }
  });

  itOnUnix('does not wait for the reader of a pipe', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    expect(await refusal([at('pipe'), at('new')])).to.equal('none');
  });
});
