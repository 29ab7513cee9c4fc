import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromArrays, tableToIPC } from 'apache-arrow';
import { expect } from 'chai';
import fc from 'fast-check';
import { Table as WasmTable, writeParquet } from 'parquet-wasm/node';
import { folderStream } from '../../../src/source/live/folderStream.ts';
import { failureOf, OPEN, type Read, readLive } from '../../support/liveRows.ts';

const count = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, k) => from + k);

const numbers = (rows: Read['rows']): unknown[] => rows.map(({ x }) => x);

const tableOf = (xs: readonly number[]) => tableFromArrays({ x: Float64Array.from(xs) });

/** Files of the same rows, by format. */
const FORMATS: Readonly<Record<string, (xs: readonly number[]) => string | Uint8Array>> = {
  arrow: xs => tableToIPC(tableOf(xs), 'file'),
  arrows: xs => tableToIPC(tableOf(xs), 'stream'),
  parquet: xs => writeParquet(WasmTable.fromIPCStream(tableToIPC(tableOf(xs), 'stream'))),
  csv: xs => `x\n${xs.map(x => `${x}\n`).join('')}`,
  ndjson: xs => xs.map(x => `{"x":${x}}\n`).join(''),
};

const PRIVATE = { forPrivate: true, columns: { x: 'number' }, positionKey: new Uint8Array(32) } as const;

describe('folderStream', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-folder-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const put = (name: string, content: string | Uint8Array): void => {
    writeFileSync(join(folder, `.${name}`), content);
    renameSync(join(folder, `.${name}`), join(folder, name));
  };
  const stream = () => folderStream(folder, { every: 20 });

  it('gives the same rows however they are cut into files, in every format, and the rest of them from any position', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.constantFrom(...Object.keys(FORMATS))), {
          minLength: 1,
          maxLength: 12,
        }),
        fc.nat(),
        fc.boolean(),
        async (files, pick, isPrivate) => {
          rmSync(folder, { recursive: true });
          mkdirSync(folder);
          let rows = 0;
          for (const [k, [size, format]] of files.entries()) {
            put(`part-${k}.${format}`, FORMATS[format]!(count(rows, rows + size)));
            rows += size;
          }
          const options = isPrivate ? PRIVATE : {};
          const whole = await readLive(stream(), options, rows);
          expect(numbers(whole.rows)).to.deep.equal(count(0, rows));
          expect(whole.letters).to.deep.equal([]);
          const at = pick % rows;
          if (at === rows - 1) return;
          const rest = await readLive(stream(), { ...options, from: whole.positions[at]! }, rows - at - 1);
          expect(numbers(rest.rows)).to.deep.equal(count(at + 1, rows));
        },
      ),
      { seed: 6, numRuns: 60 },
    );
  });

  it('gives a large file in pieces, each with its position, also from within', async () => {
    const rows = 100_000;
    for (const [format, options] of [
      ['arrow', {}],
      ['csv', {}],
      ['arrow', PRIVATE],
      ['csv', PRIVATE],
    ] as const) {
      rmSync(join(folder, 'a.arrow'), { force: true });
      put(`a.${format}`, FORMATS[format]!(count(0, rows)));
      const { arrivals, last } = await readLive(stream(), options, 66_000);
      expect(Math.max(...arrivals)).to.be.at.most(65_536);
      expect(arrivals.length).to.be.above(1);
      const from = { after: last, rows: 5 };
      const used = (last as { rows: number }).rows;
      if (used + 5 >= rows) continue;
      const rest = await readLive(stream(), { ...options, from }, rows - used - 5);
      expect([rest.rows[0]!.x, rest.rows.length]).to.deep.equal([used + 5, rows - used - 5]);
    }
  });

  it('takes files as they arrive, in natural order, but not those still being written, nor folders', async () => {
    put('p-1.csv', 'x\n1\n');
    const { rows, problems } = await readLive(stream(), {}, 4, at => {
      if (at === 0) {
        mkdirSync(join(folder, 'p-2.csv'));
        for (const name of ['.hidden', 'p-3.csv.part', 'p-3.tmp', 'p-3.TMP'])
          writeFileSync(join(folder, name), 'x\n9\n');
      }
      if (at === 1) {
        put('p-10.csv', 'x\n4\n');
        put('p-2b.csv', 'x\n2\n3\n');
      }
    });
    expect(numbers(rows).slice(0, 1)).to.deep.equal([1]);
    // Both are there before the folder is looked at again, or the second one is told of.
    if (problems.length === 0) expect(numbers(rows)).to.deep.equal([1, 2, 3, 4]);
  });

  it('follows links, and says how many files wait', async () => {
    put('a.csv', 'x\n1\n');
    symlinkSync(join(folder, 'a.csv'), join(folder, 'b.csv'));
    const opened = await stream().open(OPEN);
    const arrivals = opened.arrivals[Symbol.asyncIterator]();
    await arrivals.next();
    expect(opened.lag()).to.equal(1);
    await arrivals.next();
    expect(opened.lag()).to.equal(0);
    await opened.close();
  });

  it('tells of a file that sorts before the latest one, and does not read it', async () => {
    put('m.csv', 'x\n1\n');
    const late = await readLive(stream(), {}, 2, async at => {
      if (at !== 1) return;
      put('a.csv', 'x\n9\n');
      setTimeout(() => put('z.csv', 'x\n2\n'), 100);
    });
    expect(numbers(late.rows)).to.deep.equal([1, 2]);
    expect(late.problems[0]).to.match(
      /^"a.csv" in .* sorts before "m.csv", which has been used, and will not be read; give/,
    );
    put('b.csv', 'x\n9\n');
    const again = await readLive(stream(), { from: { after: late.last, rows: 0 } }, 1, () => {
      setTimeout(() => put('zz.csv', 'x\n3\n'), 100);
    });
    expect(numbers(again.rows)).to.deep.equal([3]);
    expect(again.problems).to.have.length(1);
    expect(again.problems[0]).to.match(/^"b.csv" in .* sorts before "z.csv"/);
  });

  it('refuses to go on with a file that has changed, was replaced, or is gone, and names the difference', async () => {
    const before = new Date(1e12);
    for (const options of [{}, PRIVATE]) {
      put('a.csv', 'x\n1\n2\n3\n');
      utimesSync(join(folder, 'a.csv'), before, before);
      const { positions } = await readLive(stream(), options, 3);
      const from = positions[1]!;
      const resumed = () => failureOf(readLive(stream(), { ...options, from }, 1));
      put('a.csv', 'x\n1\n2\n30\n');
      const longer = await resumed();
      expect(longer.code).to.equal('ERR_CHANGED');
      expect(longer.message).to.match(options === PRIVATE ? /was changed after/ : /has 9 bytes, but had 8 when rows/);
      put('a.csv', 'x\n1\n2\n4\n');
      expect((await resumed()).message).to.match(
        options === PRIVATE ? /was changed after/ : /has other bytes than when/,
      );
      rmSync(join(folder, 'a.csv'));
      const gone = await resumed();
      expect([gone.code, /a\.csv: is gone/.test(gone.message)]).to.deep.equal(['ERR_CHANGED', true]);
    }
  });

  it('ends when a file is changed while it is being used', async () => {
    for (const options of [{}, PRIVATE]) {
      put('a.arrow', FORMATS.arrow!(count(0, 200_000)));
      const changed = readLive(stream(), options, 150_000, at => {
        if (at === 65_536) put('a.arrow', FORMATS.arrow!(count(0, 10)));
      });
      expect((await failureOf(changed)).message).to.match(
        /a\.arrow: was changed or replaced after rows of it were used/,
      );
    }
  });

  it('has digests and sizes in places, but nothing that rows decide in a private run', async () => {
    put('a.csv', 'x\n1\n');
    const open = await readLive(stream(), {}, 1);
    expect(open.last).to.have.all.keys('file', 'size', 'digest', 'rows');
    const hidden = await readLive(stream(), PRIVATE, 1);
    expect(hidden.last).to.have.all.keys('file', 'seal', 'rows');
    const keyless = failureOf(readLive(stream(), { forPrivate: true, columns: PRIVATE.columns }, 1));
    expect(await keyless).to.include({ code: 'ERR_NOT_PRIVATE' });
  });

  it('knows a file of a private run again by its bytes, wherever it is, and only with the key', async () => {
    put('a.csv', 'x\n1\n2\n3\n');
    const { positions } = await readLive(stream(), PRIVATE, 3);
    const again = await readLive(stream(), PRIVATE, 1);
    const sealOf = (place: unknown): string => (place as { readonly seal: string }).seal;
    expect(sealOf(again.last)).not.to.equal(sealOf(positions[1]!.after));
    // A copy with another time, as on another machine.
    put('a.csv', 'x\n1\n2\n3\n');
    utimesSync(join(folder, 'a.csv'), new Date(1e12), new Date(1e12));
    const from = positions[1]!;
    expect(numbers((await readLive(stream(), { ...PRIVATE, from }, 1)).rows)).to.deep.equal([3]);
    const other = { ...PRIVATE, from, positionKey: new Uint8Array(32).fill(1) };
    expect((await failureOf(readLive(stream(), other, 1))).message).to.match(/was changed after rows of it were used/);
    // The bytes of another name do not do.
    const renamed = { ...(from.after as object), file: 'b.csv' };
    put('b.csv', 'x\n1\n2\n3\n');
    const moved = failureOf(readLive(stream(), { ...PRIVATE, from: { ...from, after: renamed } }, 1));
    expect((await moved).message).to.match(/b\.csv: was changed after/);
  });

  it('buries a bad file as a whole, and goes on', async () => {
    const whole = FORMATS.parquet!(count(0, 100)) as Uint8Array;
    const bad: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
      ['b.csv', 'x\n5\n6\ntext\n', /column "x", row 2, counted from 0: text/],
      ['c.csv', 'x\n5\n6,7\n', /2 cells under a header of 1/],
      ['d.csv', 'y\n5\n', /column "x".*no such column/],
      ['e.ndjson', '{"x":5}\n{"x"\n', /row 1, counted from 0: is not a JSON object/],
      ['f.parquet', whole.slice(0, -20), /f\.parquet/],
      ['g.arrow', tableToIPC(tableFromArrays({ x: ['a'] }), 'file'), /column "x" is Dictionary/],
      ['h.csv', '', /is empty/],
      ['i.zip', 'PK\x03\x04', /zip archive/],
    ];
    put('a.csv', 'x\n1\n');
    for (const [name, content] of bad) put(name, content);
    put('z.csv', 'x\n2\n');
    const { rows, letters, last } = await readLive(stream(), {}, 2);
    expect(numbers(rows)).to.deep.equal([1, 2]);
    expect(letters.map(({ place }) => (place as { file: string }).file)).to.deep.equal(bad.map(([name]) => name));
    bad.forEach(([, , reason], k) => {
      expect(letters[k]!.reason).to.match(reason);
    });
    expect(last).to.include({ file: 'z.csv', rows: 1 });
  });

  it('keeps every row of a bad file in a private run, as nulls where it cannot be read', async () => {
    const arrow = FORMATS.arrow!([5, 6, 7]) as Uint8Array;
    const files: readonly (readonly [string, string | Uint8Array, readonly (number | null)[]])[] = [
      ['a.csv', 'x\n5\ntext\n"6\n\n7,8\n9', [5, null, null, null, null, 9]],
      ['b.csv', '5,6\n7,8\n', [null]],
      ['c.csv', 'y\n5\n6\n', [null, null]],
      ['d.ndjson', '{"x":5}\n\n{"x"\n[{"x":1}]\n{"x":6}\n', [5, null, null, null, 6]],
      ['e.csv', '', []],
      ['f.parquet', (FORMATS.parquet!([1, 2]) as Uint8Array).slice(0, -20), [null]],
      ['g.arrow', arrow, [5, 6, 7]],
      ['h.arrow', tableToIPC(tableFromArrays({ x: ['a', 'b'] }), 'file'), [null, null]],
      ['i.bin', Buffer.from([1, 2, 3]), [null]],
      ['j.csv', 'x\n1\n', [1]],
    ];
    for (const [name, content] of files) put(name, content);
    const expected = files.flatMap(([, , values]) => values);
    const { rows, letters, positions } = await readLive(stream(), PRIVATE, expected.length);
    expect(numbers(rows)).to.deep.equal(expected);
    expect(letters).to.deep.equal([]);
    expect(positions.map(({ after }) => (after as { file: string }).file)).to.deep.equal(
      files.flatMap(([name, , values]) => values.map(() => name)),
    );
  });

  it('waits for a folder that is away for a while, and says so', async () => {
    const away = `${folder}-away`;
    const { rows, problems } = await readLive(stream(), {}, 2, at => {
      if (at === 0) put('a.csv', 'x\n1\n');
      else {
        renameSync(folder, away);
        setTimeout(() => {
          renameSync(away, folder);
          put('b.csv', 'x\n2\n');
        }, 200);
      }
    });
    expect(numbers(rows)).to.deep.equal([1, 2]);
    expect(problems.at(-1)).to.equal(null);
    expect(problems[0]).to.match(/there is no such file/);
  });

  it('ends at once when it is closed while it waits, and is refused where there is no folder', async () => {
    const opened = await folderStream(folder, { every: 60_000 }).open(OPEN);
    const first = opened.arrivals[Symbol.asyncIterator]().next();
    await new Promise(resolve => setTimeout(resolve, 50));
    await opened.close();
    expect((await first).done).to.equal(true);
    put('a.csv', 'x\n1\n');
    expect((await failureOf(readLive(folderStream(join(folder, 'a.csv'))))).message).to.match(/is not a folder/);
    expect((await failureOf(readLive(folderStream(join(folder, 'absent'))))).message).to.match(/no such file/);
  });
});
