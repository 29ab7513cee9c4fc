import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Table as ArrowTable, Dictionary, Int32, Int64, makeVector, tableToIPC, vectorFromArray } from 'apache-arrow';
import { expect } from 'chai';
import fc from 'fast-check';
import { ArgumentError } from '../../../src/errors.ts';
import { openArrowFile } from '../../../src/source/arrow/openArrowFile.ts';
import type { Frame, Table } from '../../../src/source/table/table.ts';
import { casesOf } from '../../laws/holdsForAll.ts';
import { withFile } from '../../support/arrowFiles.ts';
import { observeReads } from '../../support/arrowReads.ts';
import { refusal } from '../../support/arrowRefusal.ts';
import { contentsOf, fixture, openFixture, recorded, valuesOf } from '../../support/arrowTables.ts';
import { discoverColumn } from '../../support/discoverColumn.ts';

/** Batches of doubles: column k holds row + k/10. */
function doubles({ batches = 3, rows = 1000, columns = 4 }): Uint8Array {
  const tables = Array.from({ length: batches }, (_, batch) => {
    const column = (k: number) => makeVector(Float64Array.from({ length: rows }, (_, i) => batch * rows + i + k / 10));
    return new ArrowTable(Object.fromEntries(Array.from({ length: columns }, (_, k) => [`x${k}`, column(k)])));
  });
  return tableToIPC(new ArrowTable(tables.flatMap(table => table.batches)), 'file');
}

const firstFrame = async (table: Table, fields: readonly number[]): Promise<Frame> => {
  for await (const frame of table.frames(fields)) return frame;
  return expect.fail('no frame');
};

const fieldNamed = (table: Table, name: string): number => table.fields.findIndex(field => field.name === name);

describe('openArrowFile', () => {
  describe('on files that pyarrow wrote', () => {
    for (const name of ['numbers', 'times', 'texts']) {
      for (const kind of ['arrow', 'lz4.arrow']) {
        it(`reads ${name}.${kind} as pyarrow does, in pieces of any size`, async () => {
          const { levels, ...expected } = recorded(name);
          for (const piece of [1, 2, 5, Infinity]) {
            const table = await openFixture(`${name}.${kind}`);
            expect(table.rows).to.equal(23);
            expect(await contentsOf(table, { levels, piece })).to.deep.equal(expected);
          }
        });
      }
    }

    it('steps over types that it does not read', async () => {
      const { levels, ...expected } = recorded('others');
      const table = await openFixture('others.arrow');
      const unsupported = table.fields.filter(({ kind }) => kind === 'unsupported').map(({ type }) => type);
      expect(unsupported).to.deep.equal([
        'Null',
        'Struct<Int64, Utf8>',
        'List<Int64>',
        'LargeList<Int8>',
        'Map<Struct<Utf8, Int32>>',
        'Union<Int64>',
        'Union<Int64>',
        'RunEndEncoded<Int32, Float64>',
        'Interval',
        'Binary',
        'LargeBinary',
        'BinaryView',
        'FixedSizeBinary',
        'ListView<Int64>',
        'LargeListView<Int64>',
        'FixedSizeList[2]<Utf8>',
        'Dictionary<Int8, List<Int64>>',
        'Struct<Dictionary<Int8, Utf8>>',
      ]);
      expect(await contentsOf(table, { levels })).to.deep.equal(expected);
    });

    it('reads the frames of Arrow before 0.15', async () => {
      const { levels, ...expected } = recorded('legacy');
      expect(await contentsOf(await openFixture('legacy.arrow'), { levels })).to.deep.equal(expected);
    });

    it('adds the deltas of dictionaries', async () => {
      const { levels, ...expected } = recorded('growing');
      expect(await contentsOf(await openFixture('growing.arrow'), { levels })).to.deep.equal(expected);
    });

    for (const codec of ['lz4', 'zstd']) {
      it(`reads Feather compressed with ${codec}`, async () => {
        const { columns } = await contentsOf(await openFixture(`runs.${codec}.feather`));
        const noise = Array.from({ length: 2000 }, (_, i) => (((i % 200) ** 2 * 2654435761) % 4294967291) / 3);
        expect(columns).to.deep.equal({ zeros: Array(2000).fill(0), noise });
      });
    }
  });

  it('tells what each field is', async () => {
    const names = ['numbers', 'times', 'texts'].map(async name => {
      const table = await openFixture(`${name}.arrow`);
      await table.close();
      return table.fields.filter((_, k) => k % 2 === 0).map(({ kind, type, width }) => `${kind} ${type} ${width}`);
    });
    expect((await Promise.all(names)).flat()).to.deep.equal([
      'float Float64 1',
      'float Float32 1',
      'float Float16 1',
      'integer Int8 1',
      'integer Int16 1',
      'integer Int32 1',
      'exact Int64 1',
      'integer Uint8 1',
      'integer Uint16 1',
      'integer Uint32 1',
      'exact Uint64 1',
      'boolean Bool 1',
      'exact Decimal32(9, 3) 1',
      'exact Decimal64(18, 4) 1',
      'exact Decimal128(20, 2) 1',
      'exact Decimal128(38, 30) 1',
      'exact Decimal128(20, -3) 1',
      'exact Decimal256(50, 10) 1',
      'time Date32 1',
      'time Date64 1',
      'time Timestamp(s) 1',
      'time Timestamp(ms) 1',
      'time Timestamp(us, Europe/Berlin) 1',
      'time Timestamp(ns, UTC) 1',
      'time Time32(s) 1',
      'time Time32(ms) 1',
      'time Time64(us) 1',
      'time Time64(ns) 1',
      'time Duration(us) 1',
      'text Utf8 1',
      'text LargeUtf8 1',
      'text Utf8View 1',
      'text Dictionary<Int8, Utf8> 1',
      'text Dictionary<Uint32, LargeUtf8> 1',
      'exact Dictionary<Int64, Int64> 1',
      'float Dictionary<Uint16, Float32> 1',
      'time Dictionary<Int32, Date32> 1',
      'vector FixedSizeList[3]<Float32> 3',
      'vector FixedSizeList[2]<Int64> 2',
    ]);
  });

  it('fills any rows of any field as a slice of the whole', async () => {
    for (const name of ['numbers.arrow', 'texts.lz4.arrow']) {
      const { levels } = recorded(name.split('.')[0]!);
      const table = await openFixture(name);
      const fields = [...table.fields.keys()];
      const request = fc.tuple(fc.constantFrom(...fields), fc.nat(11), fc.nat(11), fc.nat(2));
      for await (const frame of table.frames(fields)) {
        const whole = await Promise.all(fields.map(k => valuesOf(frame, k, table.fields[k]!, { levels })));
        await fc.assert(
          fc.asyncProperty(request, async ([field, a, b, e]) => {
            const [start, end] = [Math.min(a, b, frame.rows), Math.min(Math.max(a, b), frame.rows)];
            const { kind, width } = table.fields[field]!;
            const element = Math.min(e, width - 1);
            // Longer than asked for: what lies behind must stay as it is.
            const out = new Float64Array(end - start + 2).fill(-7);
            const missing = new Uint8Array(out.length);
            const wanted = { field, element, start, count: end - start, out, missing };
            await (kind === 'text' ? frame.fillLevels({ ...wanted, levels }) : frame.fill(wanted));
            const values = [...out.subarray(0, end - start)].map((value, i) =>
              missing[i] === 1 ? null : kind === 'text' ? levels[value] : value,
            );
            const expected = whole[field]!.slice(start, end).map(value =>
              Array.isArray(value) ? value[element] : value,
            );
            expect(values).to.deep.equal(expected);
            expect([...out.subarray(end - start), ...missing.subarray(end - start)]).to.deep.equal([-7, -7, 0, 0]);
          }),
          { seed: 3, numRuns: casesOf(200) },
        );
      }
      await table.close();
    }
  });

  it('gives levels by their first index, -1 for a text outside them, and 0 for nulls', async () => {
    const table = await openFixture('texts.arrow');
    for (const name of ['utf8, holes', 'dictionary, holes']) {
      const field = fieldNamed(table, name);
      const texts = recorded('texts').columns[name]!.slice(0, 9);
      const levels = ['blue', 'a', 'blue', 'Übermaß', 'not there'];
      for await (const frame of table.frames([field])) {
        const [out, missing] = [new Float64Array(9), new Uint8Array(9)];
        expect(await frame.fillLevels({ field, start: 0, count: 9, out, missing, levels })).to.equal(1);
        expect([...out]).to.deep.equal(texts.map(text => (text === null ? 0 : levels.indexOf(text as string))));
        expect(missing[3]).to.equal(1);
        expect(await frame.fillLevels({ field, start: 0, count: 2, out, missing, levels: [] })).to.equal(0);
        expect([...out.subarray(0, 2)]).to.deep.equal([-1, -1]);
        break;
      }
    }
    await table.close();
  });

  it('discovers the levels of texts, views and dictionaries in the order of their rows', async () => {
    for (const file of ['texts.arrow', 'texts.lz4.arrow', 'growing.arrow', 'others.arrow']) {
      const table = await openFixture(file);
      const { columns } = recorded(file.split('.')[0]!);
      for (const { name } of table.fields.filter(({ kind }) => kind === 'text')) {
        const expected = columns[name] as (string | null)[];
        const distinct = [...new Set(expected.filter(text => text !== null))];
        for (const size of [Infinity, 4]) {
          expect(await discoverColumn(table, name, { size }), `${file}, ${name}`).to.deep.equal({
            texts: expected,
            levels: distinct,
          });
        }
        const { texts, levels } = await discoverColumn(table, name, { size: 3, most: 2 });
        expect(levels).to.deep.equal(distinct.slice(0, 2));
        expect(texts).to.deep.equal(expected.map(text => (text === null || levels.includes(text) ? text : undefined)));
      }
      await table.close();
    }
  });

  it('ranks by the levels as they are, whoever has changed them since', async () => {
    const table = await openFixture('texts.arrow');
    const names = ['dictionary', 'dictionary of large', 'utf8'];
    const fields = names.map(name => fieldNamed(table, name));
    const levels: string[] = [];
    const found: string[][] = [[], [], []];
    for await (const frame of table.frames(fields)) {
      for (let start = 0; start < frame.rows; start++) {
        for (const [k, field] of fields.entries()) {
          const request = { field, start, count: 1, out: new Float64Array(1), missing: new Uint8Array(1) };
          await frame.discoverLevels({ ...request, levels, most: 1000 });
          found[k]!.push(levels[request.out[0]!]!);
          for (const level of ['red', 'green']) {
            await frame.fillLevels({ ...request, levels: [level] });
            expect(request.out[0]).to.equal(found[k]!.at(-1) === level ? 0 : -1);
          }
        }
      }
    }
    expect(found).to.deep.equal(names.map(name => recorded('texts').columns[name]));
    expect(levels).to.have.members([...new Set(found.flat())]);
    // A list that another column adds to between two pieces of this one.
    const shared: string[] = [];
    for await (const frame of table.frames(fields)) {
      for (let start = 0; start < frame.rows; start++) {
        for (const field of fields.slice(0, 2)) {
          const memory = { out: new Float64Array(1), missing: new Uint8Array(1) };
          await frame.discoverLevels({ field, start, count: 1, ...memory, levels: shared, most: 1000 });
        }
      }
    }
    expect(shared).to.deep.equal(['red', 'green', 'blue']);
    await table.close();
  });

  it('reads doubles straight into the memory that it is given, and no other bytes of the rows', async () => {
    await withFile(doubles({ batches: 3, rows: 5000, columns: 4 }), async path => {
      const table = await openArrowFile(path);
      const memory = new SharedArrayBuffer(2 ** 17);
      const out = new Float64Array(memory, 64, 1200);
      await observeReads(async reads => {
        let row = 0;
        for await (const frame of table.frames([2])) {
          const before = { ...reads };
          await frame.fill({ field: 2, start: 300, count: 1000, out, missing: new Uint8Array(1000) });
          expect([reads.calls - before.calls, reads.bytes - before.bytes]).to.deep.equal([1, 8000]);
          expect(reads.targets.at(-1)).to.equal(memory);
          expect([...out.subarray(0, 2), out[999], out[1000]]).to.deep.equal([
            row + 300.2,
            row + 301.2,
            row + 1299.2,
            0,
          ]);
          row += 5000;
        }
      });
      await table.close();
    });
  });

  it('holds no rows of 200 batches, nor reads more of them than it is asked for', async () => {
    const [batches, rows] = [200, 4096];
    const bytes = doubles({ batches, rows, columns: 4 });
    await withFile(bytes, async path => {
      const table = await openArrowFile(path);
      const [out, missing] = [new Float64Array(rows), new Uint8Array(rows)];
      await observeReads(async reads => {
        const before = process.memoryUsage().arrayBuffers;
        let most = 0;
        for await (const frame of table.frames([1])) {
          await frame.fill({ field: 1, start: 0, count: rows, out, missing });
          most = Math.max(most, process.memoryUsage().arrayBuffers - before);
        }
        // One batch of all columns has 128 KiB; metadata have less than 1 KiB a batch.
        expect(reads.bytes).to.be.within(batches * rows * 8, batches * (rows * 8 + 1024));
        expect(most).to.be.below(3 * 4 * rows * 8);
      });
      await table.close();
    });
  });

  it('opens a file of many small batches with few reads', async () => {
    await withFile(doubles({ batches: 3000, rows: 2, columns: 2 }), async path => {
      await observeReads(async reads => {
        const table = await openArrowFile(path);
        expect(table.rows).to.equal(6000);
        expect(reads.calls).to.be.below(20);
        await table.close();
      });
    });
  });

  it('reads files without rows, without batches and without columns', async () => {
    const contents = (table: ArrowTable) =>
      withFile(tableToIPC(table, 'file'), async path => contentsOf(await openArrowFile(path)));
    const empty = new ArrowTable({ x: makeVector(new Float64Array(0)) });
    expect((await contents(empty)).columns).to.deep.equal({ x: [] });
    expect(await contents(new ArrowTable(empty.schema, []))).to.deep.equal({ rows: [], columns: { x: [] } });
    expect((await contents(new ArrowTable())).columns).to.deep.equal({});
  });

  it('can be read again, also by two loops at once, and be left early', async () => {
    const table = await openFixture('numbers.arrow');
    const count = async (most: number): Promise<number> => {
      let frames = 0;
      for await (const _ of table.frames([0])) if (++frames === most) break;
      return frames;
    };
    expect(await Promise.all([count(1), count(9), count(2)])).to.deep.equal([1, 4, 2]);
    await table.close();
    await table.close();
    expect(await refusal(() => count(9))).to.contain('could not be read');
  });

  it('is a frozen record', async () => {
    const table = await openFixture('legacy.arrow');
    expect(Object.isFrozen(table) && Object.isFrozen(table.fields) && Object.isFrozen(table.fields[0])).to.equal(true);
    expect([table.name, table.format]).to.deep.equal([fixture('legacy.arrow'), 'arrow-file']);
    await table.close();
  });

  it('reads whole numbers beyond 2^53 as the nearest doubles, also in dictionaries, and what these lack', async () => {
    const values = [2n ** 53n, -(2n ** 53n) - 1n, 0n, 2n ** 53n + 3n, 2n ** 63n - 1n];
    const plain = makeVector(BigInt64Array.from(values));
    const encoded = vectorFromArray(values, new Dictionary(new Int64(), new Int32()));
    await withFile(tableToIPC(new ArrowTable({ plain, encoded }), 'file'), async path => {
      const table = await openArrowFile(path);
      for await (const frame of table.frames([0, 1])) {
        for (const field of [0, 1]) {
          const [out, rest] = [new Float64Array(5), new Float64Array(5)];
          const request = { field, start: 0, count: 5, missing: new Uint8Array(5) };
          await frame.fill({ ...request, out });
          await frame.fill({ ...request, out: rest, rest: true });
          expect([...out]).to.deep.equal(values.map(Number));
          expect(values.map((_, i) => BigInt(out[i]!) + BigInt(rest[i]!))).to.deep.equal(values);
        }
      }
      await table.close();
    });
  });

  describe('refuses', () => {
    const refused = (bytes: Uint8Array | string): Promise<string> =>
      withFile(Buffer.from(bytes), async path => {
        const message = await refusal(async () => contentsOf(await openArrowFile(path)));
        expect(message).to.contain(path);
        return message;
      });
    const file = readFileSync(fixture('legacy.arrow'));

    it('what is no Arrow file, and says what it is', async () => {
      expect(await refused('')).to.contain('is empty');
      expect(await refused('A')).to.contain('does not begin with ARROW1');
      expect(await refused('a,b\n1,2\n')).to.contain('does not begin with ARROW1');
      expect(await refused('FEA1....')).to.contain('Feather file of version 1');
      expect(await refused(readFileSync(fixture('numbers.arrows')))).to.contain('is an Arrow stream');
      expect(await refusal(() => openArrowFile(dirname(fixture('x'))))).to.contain('is a folder');
      expect(await refusal(() => openArrowFile(fixture('not there')))).to.contain('no such file');
      expect(await refusal(() => openArrowFile('/dev/null'))).to.contain('is not a file on disk');
    });

    it('a file that was cut short, wherever', async () => {
      for (let length = 1; length < file.length; length += 9) await refused(file.subarray(0, length));
      expect(await refused(file.subarray(0, -1))).to.contain('cut short');
      expect(await refused('ARROW1')).to.contain('cut short');
    });

    it('a row count that the columns do not have', async () => {
      const bytes = doubles({ batches: 1, rows: 1009, columns: 2 });
      const message = await refused(patched(bytes, 1009n, 2n ** 50n, 1));
      expect(message).to.match(/has 1009 rows of 1125899906842624|has 1125899906842624 rows of 1009/);
    });

    it('rows that the buffers do not hold, without memory for them', async () => {
      const bytes = patched(doubles({ batches: 1, rows: 1009, columns: 2 }), 1009n, 2n ** 50n);
      await withFile(bytes, async path => {
        const table = await openArrowFile(path);
        expect(table.rows).to.equal(2 ** 50);
        const frame = table.frames([0])[Symbol.asyncIterator]();
        const { value } = await frame.next();
        const request = {
          field: 0,
          start: 2 ** 49,
          count: 1,
          out: new Float64Array(1),
          missing: new Uint8Array(1),
        };
        expect(await refusal(async () => value.fill(request))).to.match(
          /column "x0": bytes \d+ to \d+ are needed, but/,
        );
        await table.close();
      });
    });

    it('requests that make no sense', async () => {
      const table = await openFixture('texts.arrow');
      const [text, vector] = [fieldNamed(table, 'utf8'), fieldNamed(table, 'list of float32')];
      const frame = await firstFrame(table, [text, vector]);
      const [out, missing] = [new Float64Array(4), new Uint8Array(4)];
      const good = { field: vector, start: 0, count: 4, out, missing };
      const argument = async (request: object): Promise<string> => {
        const error = await Promise.resolve(frame.fill({ ...good, ...request })).catch(reason => reason);
        expect(error).to.be.instanceOf(ArgumentError);
        return error.message;
      };
      expect(() => table.frames([99])).to.throw(ArgumentError, 'fields');
      // The loop that gave the frame was left.
      expect(await argument({})).to.contain('before the next one is pulled');
      for await (const other of table.frames([text, vector])) {
        const refuses = async (request: object, word: string): Promise<void> => {
          const error = await Promise.resolve(other.fill({ ...good, ...request })).catch(reason => reason);
          expect(error).to.be.instanceOf(ArgumentError);
          expect(error.message).to.contain(word);
        };
        await refuses({ field: 0.5 }, 'field');
        await refuses({ field: vector + 1 }, 'requested');
        await refuses({ start: -1 }, 'start');
        await refuses({ start: 7 }, 'count');
        await refuses({ count: 5 }, 'count');
        await refuses({ element: 3 }, 'element');
        await refuses({ field: text }, 'declare the levels');
        expect(await refusal(async () => other.fillLevels({ ...good, levels: [] }))).to.contain('is not text');
        break;
      }
      await table.close();
    });
  });
});

/** The bytes with one 64-bit number in place of another, everywhere or only the first time. */
function patched(bytes: Uint8Array, from: bigint, to: bigint, times = Infinity): Uint8Array {
  const copy = Buffer.from(bytes);
  const [old, fresh] = [Buffer.alloc(8), Buffer.alloc(8)];
  old.writeBigInt64LE(from);
  fresh.writeBigInt64LE(to);
  for (let at = copy.indexOf(old), n = 0; at >= 0 && n < times; at = copy.indexOf(old, at + 8), n++)
    copy.set(fresh, at);
  return copy;
}
