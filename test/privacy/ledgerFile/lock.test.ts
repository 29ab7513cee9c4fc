import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { newOwner, type Owner, takeLock } from '../../../src/privacy/ledgerFile/lock.ts';
import { chainOf } from '../../support/ledgerPlans.ts';
import { type PlainBuild, plainBuild } from '../../support/plainBuild.ts';

const endedPid = (): number => spawnSync(process.execPath, ['--version']).pid;

describe('takeLock', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-lock-'));
    path = join(folder, 'ledger.jsonl');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const held = (): Owner => JSON.parse(readFileSync(`${path}.lock`, 'utf8'));
  const leave = (owner: Owner, name = '.lock'): void => writeFileSync(path + name, JSON.stringify(owner));

  it('holds a file that names this process, and leaves nothing when it is released', () => {
    const lock = takeLock(path);
    expect(held()).to.include({ pid: process.pid });
    expect(readdirSync(folder)).to.deep.equal(['ledger.jsonl.lock']);
    lock.release();
    lock.release();
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it('refuses a second holder, says who is in and what to do, and lets go of nothing', () => {
    const lock = takeLock(path);
    expect(() => takeLock(path)).to.throw(
      ArgumentError,
      /ledger\.jsonl is in use by this process on \S+ since \d{4}-.*; wait until that run has ended, or remove .*ledger\.jsonl\.lock if you are sure/,
    );
    expect(readdirSync(folder)).to.deep.equal(['ledger.jsonl.lock']);
    lock.release();
    takeLock(path).release();
  });

  it('takes over from a dead process, and sweeps what dead ones left behind', () => {
    const [first, second, third] = Array.from({ length: 3 }, () => ({ ...newOwner(), pid: endedPid() }));
    leave(first!);
    leave(second!, `.lock.${first!.id}`);
    leave(third!, `.lock.${second!.id}`);
    leave(third!, `.lock.${third!.id}.draft`);
    leave(third!, `.lock.${randomUUID()}`);
    const lock = takeLock(path);
    expect(held().pid).to.equal(process.pid);
    expect(readdirSync(folder)).to.deep.equal(['ledger.jsonl.lock']);
    lock.release();
  });

  it('waits for a living successor of a dead process', () => {
    const [dead, living] = [{ ...newOwner(), pid: endedPid() }, newOwner()];
    leave(dead);
    leave(living, `.lock.${dead.id}`);
    expect(() => takeLock(path)).to.throw(ArgumentError, `remove ${path}.lock.${dead.id}`);
    expect(held().id).to.equal(dead.id);
  });

  it('removes no lock but its own', () => {
    const lock = takeLock(path);
    leave(newOwner());
    lock.release();
    expect(held().pid).to.equal(process.pid);
  });

  it('refuses what it cannot read, such as an empty lock', () => {
    for (const text of ['', 'mine', '{"id":"../../etc","pid":1}']) {
      writeFileSync(`${path}.lock`, text);
      expect(() => takeLock(path)).to.throw(ArgumentError, 'is in use by somebody');
    }
  });

  it('says why a lock cannot be made', () => {
    expect(() => takeLock(join(folder, 'no/ledger'))).to.throw(ArgumentError, 'in a folder that you may write to');
  });
});

describe('processes on one ledger', () => {
  const run = promisify(execFile);
  let build: PlainBuild;
  before(() => {
    build = plainBuild(
      'src/errors.ts',
      'src/files.ts',
      'src/words.ts',
      'src/math',
      'src/privacy',
      ...['ledgerCrowd', 'ledgerPlans', 'lockCrowd', 'patiently'].map(name => `test/support/${name}.ts`),
    );
  });
  after(() => build.remove());

  const crowd = async (script: string, ...args: string[]): Promise<void> => {
    const file = build.compiled(`test/support/${script}.ts`);
    const ends = await Promise.allSettled(Array.from({ length: 8 }, () => run(process.execPath, [file, ...args])));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  };

  it('take turns: eight of them, ten runs each, lose no line and never interleave', async () => {
    const path = join(build.folder(), 'ledger.jsonl');
    await crowd('ledgerCrowd', path, '10');
    const [, ...records] = chainOf(readFileSync(path, 'utf8'));
    expect(records).to.have.length(8 * 10 * 5);
    for (let k = 0; k < records.length; k += 5) {
      const five = records.slice(k, k + 5);
      expect(five.map(({ kind }) => kind)).to.deep.equal(['run', 'charge', 'charge', 'charge', 'finished']);
      expect(new Set(five.map(({ run }) => run)).size).to.equal(1);
    }
  });

  it('never take over a dead lock together: eight of them contend for it, 60 times each', async () => {
    const path = join(build.folder(), 'ledger.jsonl');
    await crowd('lockCrowd', path, '60', String(endedPid()));
    takeLock(path).release();
    expect(readdirSync(join(path, '..'))).to.deep.equal([]);
  });
});
