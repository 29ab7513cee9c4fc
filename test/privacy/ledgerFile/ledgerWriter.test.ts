import fs, { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { openLedgerFile } from '../../../src/privacy/ledgerFile/openLedgerFile.ts';
import { readLedgerFile } from '../../../src/privacy/ledgerFile/readLedgerFile.ts';
import { promising, release, spend } from '../../support/ledgerPlans.ts';

const real = { writeSync: fs.writeSync, fsyncSync: fs.fsyncSync };

/** Puts other functions in the place of Node's own, for everyone. */
function replace(functions: Partial<Record<keyof typeof real, (...args: never[]) => unknown>>): void {
  Object.assign(fs, real, functions);
  syncBuiltinESMExports();
}

describe('ledgerWriter', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-writer-'));
    path = join(folder, 'ledger.jsonl');
  });
  afterEach(() => {
    replace({});
    rmSync(folder, { recursive: true });
  });

  it('writes each line in one go and has it on disk before it returns; a new file, its folder too', () => {
    const calls: string[] = [];
    const note =
      (name: keyof typeof real) =>
      (handle: number, ...rest: never[]) => {
        calls.push(`${name} ${fs.fstatSync(handle).isDirectory() ? 'folder' : 'file'}`);
        return (real[name] as (...args: unknown[]) => unknown)(handle, ...rest);
      };
    replace({ writeSync: note('writeSync'), fsyncSync: note('fsyncSync') });
    const file = openLedgerFile(path, { dataset: 'people' });
    const line = ['writeSync file', 'fsyncSync file'];
    expect(calls.splice(0)).to.deep.equal([...line, ...line, 'fsyncSync folder'], 'the lock, the first line');
    const run = file.begin(promising(1));
    expect(calls.splice(0)).to.deep.equal(line);
    run.charge(release(0, 0.1));
    expect(calls.splice(0)).to.deep.equal(line);
    run.finish();
    expect(calls.splice(0)).to.deep.equal(line);
    file.close();
  });

  it('refuses every charge after one that did not reach the disk', () => {
    const file = openLedgerFile(path, { dataset: 'people' });
    const run = file.begin(promising(1));
    replace({
      fsyncSync: () => {
        throw new Error('EIO: i/o error, fsync');
      },
    });
    expect(() => run.charge(release(0, 0.1))).to.throw(ArgumentError, `${path} cannot be written: EIO`);
    replace({});
    expect(() => run.charge(release(0, 0.1))).to.throw(ArgumentError, 'cannot be written: EIO');
    expect(() => run.finish()).to.throw(ArgumentError, 'cannot be written: EIO');
    file.close();
  });

  it('writes the rest of a line of which the system took a part, and mends one that a full disk has torn', () => {
    let room = Infinity;
    replace({
      writeSync: (handle: number, bytes: Uint8Array, from: number, length: number, at: number) => {
        if (room === 0) throw new Error('ENOSPC: no space left on device, write');
        const part = Math.min(length, 100, room);
        room -= part;
        return real.writeSync(handle, bytes, from, part, at);
      },
    });
    // The lock is written as a text, in one go.
    const limited = fs.writeSync;
    replace({
      writeSync: (handle: number, bytes: unknown, ...rest: never[]) =>
        typeof bytes === 'string'
          ? real.writeSync(handle, bytes)
          : limited(handle, bytes as Uint8Array, ...(rest as unknown as [number, number, number])),
    });
    const file = openLedgerFile(path, { dataset: 'people' });
    const run = file.begin(promising(1));
    run.charge(release(0, 0.1));
    const before = readFileSync(path);
    room = 130;
    expect(() => run.charge(release(1, 0.1))).to.throw(ArgumentError, 'ENOSPC');
    room = Infinity;
    expect(() => run.charge(release(1, 0.1))).to.throw(ArgumentError, 'ENOSPC');
    file.close();
    expect(readLedgerFile(path)).to.include({ lines: 3, torn: 130 });
    expect(readFileSync(path).subarray(0, before.length).equals(before)).to.equal(true);
    const next = openLedgerFile(path, { dataset: 'people' });
    spend(next, 1);
    next.close();
    expect(readLedgerFile(path)).to.include({ lines: 7, torn: 0, mended: 1 });
  });
});
