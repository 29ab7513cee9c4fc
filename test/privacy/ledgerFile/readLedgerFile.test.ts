import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { openLedgerFile } from '../../../src/privacy/ledgerFile/openLedgerFile.ts';
import { parseLedger, readLedgerFile } from '../../../src/privacy/ledgerFile/readLedgerFile.ts';
import { chained, NO_HASH } from '../../../src/privacy/ledgerFile/record.ts';
import { chainOf, promising, release, spend } from '../../support/ledgerPlans.ts';

describe('readLedgerFile', () => {
  let folder: string;
  let path: string;
  let whole: Buffer;
  let lines: string[];
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-read-'));
    path = join(folder, 'ledger.jsonl');
    const file = openLedgerFile(path, { dataset: 'people' });
    spend(file, 0.5, 3);
    spend(file, 0.4, 2);
    file.close();
    whole = readFileSync(path);
    lines = whole.toString().split('\n').slice(0, -1);
    expect(lines).to.have.length(10);
  });
  after(() => rmSync(folder, { recursive: true }));

  const write = (given: readonly string[]): void => writeFileSync(path, given.map(line => `${line}\n`).join(''));
  const refusesAt = (line: number, given: readonly string[], what: string): void => {
    write(given);
    for (const open of [readLedgerFile, () => openLedgerFile(path, { dataset: 'people' })]) {
      expect(() => open(path), what).to.throw(ArgumentError, `${path}, line ${line}: the chain is broken`);
    }
  };

  it('finds a changed line, any of them, and names it', () => {
    lines.forEach((line, k) => {
      if (k === 0) return;
      const changed = line.replace(/\d(?=[^\d]*$)/, digit => String((Number(digit) + 1) % 10));
      refusesAt(k + 1, lines.with(k, changed), `line ${k + 1} with another hash`);
      refusesAt(k + 1, lines.with(k, line.replace('"kind"', '"Kind"')), `line ${k + 1} with another word`);
      refusesAt(k + 1, lines.with(k, `${line} `), `line ${k + 1} with a blank`);
    });
    refusesAt(1, lines.with(0, lines[0]!.replace('"at":"2', '"at":"1')), 'another time');
    // A cheaper charge under a hash of its own: the next line does not follow.
    const { hash, ...charge } = JSON.parse(lines[2]!);
    const previous = JSON.parse(lines[1]!).hash;
    const forged = chained(previous, { ...charge, event: release('all', 1e-9) })
      .line.toString()
      .trimEnd();
    refusesAt(4, lines.with(2, forged), 'a forged charge');
  });

  it('finds a removed line, any but the last ones', () => {
    for (let k = 1; k < lines.length - 1; k++) {
      refusesAt(k + 1, lines.toSpliced(k, 1), `without line ${k + 1}`);
    }
    write(lines.slice(1));
    expect(() => readLedgerFile(path)).to.throw('is not a ledger');
  });

  it('finds two lines that changed places, and a line put in, new or old', () => {
    for (let i = 1; i < lines.length; i++) {
      for (let j = i + 1; j < lines.length; j++) {
        refusesAt(i + 1, lines.with(i, lines[j]!).with(j, lines[i]!), `lines ${i + 1} and ${j + 1} swapped`);
      }
      const stray = chained(JSON.parse(lines[0]!).hash, {
        kind: 'mended',
        at: 'now',
        cut: '',
      }).line.toString();
      refusesAt(i + 1, lines.toSpliced(i, 0, i === 1 ? lines[4]! : stray.trimEnd()), `before line ${i + 1}`);
      refusesAt(i + 2, lines.toSpliced(i, 0, lines[i]!), `line ${i + 1} twice`);
      refusesAt(i + 1, lines.toSpliced(i, 0, ''), `an empty line before line ${i + 1}`);
    }
  });

  it('finds a line cut short in the middle of the file', () => {
    for (let k = 1; k < lines.length - 1; k++) {
      refusesAt(k + 1, lines.with(k, lines[k]!.slice(0, 40)), `line ${k + 1} cut`);
      writeFileSync(path, whole.toString().replace(`${lines[k]}\n`, lines[k]!));
      expect(() => readLedgerFile(path)).to.throw(`line ${k + 1}: the chain is broken`);
    }
  });

  it('cannot see that the last lines are gone, except by a hash that was noted before', () => {
    write(lines);
    const { head } = readLedgerFile(path);
    expect(head).to.equal(JSON.parse(lines.at(-1)!).hash);
    write(lines.slice(0, -2));
    const shorter = readLedgerFile(path);
    expect(shorter.lines).to.equal(lines.length - 2);
    expect(shorter.holds(head)).to.equal(false);
    expect(shorter.holds(shorter.head)).to.equal(true);
  });

  it('reads a file torn at any byte: a last line counts once it is whole, also without its break', () => {
    for (let size = 1; size < whole.length; size++) {
      const torn = whole.subarray(0, size);
      const found = parseLedger(path, torn);
      const breaks = torn.toString('latin1').split('\n').length - 1;
      const isWhole = whole[size] === 0x0a;
      expect(found.hashes, `${size} bytes`).to.have.length(breaks + (isWhole ? 1 : 0));
      expect(found.torn).to.have.length(isWhole ? 0 : size - 1 - torn.lastIndexOf('\n'));
    }
  });

  it('leaves the file as it is, torn or locked', () => {
    const torn = whole.subarray(0, -50);
    writeFileSync(path, torn);
    expect(readLedgerFile(path)).to.include({ lines: 9, torn: lines[9]!.length - 49 });
    expect(readFileSync(path).equals(torn)).to.equal(true);
    const file = openLedgerFile(path, { dataset: 'people' });
    expect(readLedgerFile(path)).to.include({ lines: 10, torn: 0, mended: 1, head: file.head });
    file.close();
  });

  it('goes on after a line torn at any byte: charges that were whole count, the torn one is recorded and cut', () => {
    const start = whole.lastIndexOf('\n', whole.indexOf('"finished"')) + 1;
    const end = start + lines[5]!.length;
    const kept = whole.subarray(0, start).toString();
    for (let size = start; size <= end + 1; size++) {
      const torn = whole.subarray(start, size);
      writeFileSync(path, whole.subarray(0, size));
      const file = openLedgerFile(path, { dataset: 'people' });
      const run = file.begin(promising(0.1));
      run.charge(release(0, 0.01));
      file.close();
      const text = readFileSync(path, 'utf8');
      expect(text.startsWith(kept)).to.equal(true);
      const records = chainOf(text).slice(5);
      const kinds = records.map(({ kind }) => kind);
      if (size === start) {
        expect(kinds).to.deep.equal(['run', 'charge']);
      } else if (size >= end) {
        expect(kinds).to.deep.equal(['finished', 'run', 'charge']);
      } else {
        expect(kinds, `${size - start} bytes`).to.deep.equal(['mended', 'run', 'charge']);
        expect(records[0]).to.deep.include({ cut: torn.toString('base64') });
      }
      expect(readLedgerFile(path).accounts[0]!.runs[0]!.charges).to.equal(3);
      expect(readLedgerFile(path).mended).to.equal(size > start && size < end ? 1 : 0);
    }
  });

  it('begins anew where the first line was torn at any byte', () => {
    for (let size = 0; size < lines[0]!.length; size++) {
      writeFileSync(path, whole.subarray(0, size));
      openLedgerFile(path, { dataset: 'people' }).close();
      expect(chainOf(readFileSync(path, 'utf8')).map(({ kind }) => kind)).to.deep.equal(['ledger']);
    }
  });

  it('mends again what was killed while it mended, at any byte', () => {
    const line = whole.subarray(0, whole.indexOf('\n') + 1 + 100);
    writeFileSync(path, line);
    openLedgerFile(path, { dataset: 'people' }).close();
    const mended = readFileSync(path);
    for (let size = line.length; size < mended.length - 1; size++) {
      writeFileSync(path, mended.subarray(0, size));
      openLedgerFile(path, { dataset: 'people' }).close();
      const kinds = chainOf(readFileSync(path, 'utf8')).map(({ kind }) => kind);
      expect(kinds).to.deep.equal(['ledger', 'mended']);
    }
    // The new line is written over the torn one: until it is whole, a part of the old one may stand behind a part of
    // the new.
    for (let size = 1; size < line.length - lines[0]!.length; size++) {
      const start = lines[0]!.length + 1;
      const mixed = Buffer.concat([mended.subarray(0, start + size), line.subarray(start + size)]);
      writeFileSync(path, mixed);
      expect(readLedgerFile(path)).to.include({ lines: 1, torn: mixed.length - start });
    }
  });

  it('refuses lines that are chained well but say what no run would', () => {
    const run = { kind: 'run', run: 'r', at: 'now', dataset: 'people', target: 'pay', createdWith: 'x' };
    const good = { ...run, guarantee: { mu: 1, epsilon: 1, delta: 0.1 }, budget: null };
    const bad: [string, ...object[]][] = [
      ['it is a second ledger header', JSON.parse(lines[0]!)],
      ['of kind "refund"', { kind: 'refund', run: 'r' }],
      ['run r, which is not in progress', { kind: 'charge', run: 'r', event: release(0, 1) }],
      ['run r, which is not in progress', good, { kind: 'finished', run: 'r' }, { kind: 'finished', run: 'r' }],
      ['begins run r a second time', good, good],
      ['guarantee.mu must', { ...good, guarantee: { mu: -1, epsilon: 1, delta: 0.1 } }],
      ['protects must', { ...good, protects: 'person' }],
      ['protects.maxPerUnit must', { ...good, protects: { unit: 'person', maxPerUnit: 0 } }],
      ['sigma must', good, { kind: 'charge', run: 'r', event: { ...release(0, 1), sigma: 0 } }],
      ['its event is {"kind":"free"}', good, { kind: 'charge', run: 'r', event: { kind: 'free' } }],
    ];
    for (const [complaint, ...records] of bad) {
      let head = JSON.parse(lines[0]!).hash;
      const added = records.map(({ hash: _, ...record }: { hash?: string }) => {
        const { line, hash } = chained(head, record);
        head = hash;
        return line.toString().trimEnd();
      });
      write([lines[0]!, ...added]);
      expect(() => readLedgerFile(path)).to.throw(ArgumentError, complaint);
      expect(() => readLedgerFile(path)).to.throw(`${path}, line ${1 + added.length}: `);
    }
    const { hash: _, ...first } = JSON.parse(lines[0]!);
    write([
      chained(NO_HASH, { ...first, version: 2 })
        .line.toString()
        .trimEnd(),
    ]);
    expect(() => readLedgerFile(path)).to.throw('use a newer sluice');
  });

  it('counts a charge by its sensitivity and noise, whatever mu the line claims', () => {
    const { hash, ...charge } = JSON.parse(lines[2]!);
    const previous = JSON.parse(lines[1]!).hash;
    const claim = { ...charge, event: { ...charge.event, mu: 0 } };
    write([...lines.slice(0, 2), chained(previous, claim).line.toString().trimEnd()]);
    expect(readLedgerFile(path).accounts[0]!.mu).to.equal(charge.event.sensitivity);
  });

  it('names a file that is not there', () => {
    expect(() => readLedgerFile(join(folder, 'none'))).to.throw(ArgumentError, /none cannot be read: .*; name a file/);
  });
});
