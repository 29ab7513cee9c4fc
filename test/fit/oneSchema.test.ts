import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataType, RecordBatch, Table } from 'apache-arrow';
import { expect } from 'chai';
import { from, lastValueFrom, toArray } from 'rxjs';
import { estimate } from '../../src/fit/estimate.ts';
import { predict, predictBatches } from '../../src/fit/predict.ts';
import { type BatchFormat, streamBatches, writeBatches } from '../../src/sink/table/writeBatches.ts';
import { batches } from '../../src/source/memory/batches.ts';

// The copy of apache-arrow that the sources load, which static imports of a test do not get.
const arrow = await import('apache-arrow');

const x = [1, 2, 3, 4, 5, 6, 7];
const { model } = await estimate({ x, y: x.map(value => 2 * value + Math.sin(value)) }, { target: 'y' });

async function allOf(items: AsyncIterable<RecordBatch>): Promise<RecordBatch[]> {
  const found: RecordBatch[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const batchOf = (type: DataType, values: readonly unknown[]): RecordBatch =>
  new arrow.Table({
    x: arrow.vectorFromArray(
      values.map((_, i) => i),
      new arrow.Float64(),
    ),
    k: arrow.vectorFromArray(values as unknown[], type) as never,
  }).batches[0]!;

/** Pairs of types, two values of each, the type that holds all four, and what they are in it. */
const pairs: readonly (readonly [DataType, unknown[], DataType, unknown[], string, unknown[]])[] = [
  [new arrow.Int32(), [1, 2], new arrow.Float64(), [0.5, null], 'Float64', [1, 2, 0.5, null]],
  [new arrow.Float64(), [0.5, 2], new arrow.Int32(), [1, -1], 'Float64', [0.5, 2, 1, -1]],
  [new arrow.Int32(), [-1, 2], new arrow.Uint32(), [2 ** 32 - 1, 0], 'Int64', [-1n, 2n, 2n ** 32n - 1n, 0n]],
  [new arrow.Int16(), [-1, 2], new arrow.Int64(), [2n ** 60n + 1n, 0n], 'Int64', [-1n, 2n, 2n ** 60n + 1n, 0n]],
  [new arrow.Bool(), [true, null], new arrow.Int8(), [7, 0], 'Int32', [1, null, 7, 0]],
  [new arrow.Uint64(), [1n, 2n], new arrow.Int64(), [-1n, 3n], 'Float64', [1, 2, -1, 3]],
  [new arrow.Utf8(), ['a', null], new arrow.Utf8(), ['b', 'a'], 'Dictionary<Int32, Utf8>', ['a', null, 'b', 'a']],
  [
    new arrow.TimestampMicrosecond(),
    [0, 1],
    new arrow.TimestampNanosecond(),
    [2, 3],
    'Timestamp<NANOSECOND>',
    [0, 1, 2, 3],
  ],
  [
    new arrow.DurationSecond(),
    [5n, 6n],
    new arrow.DurationMillisecond(),
    [7n, -1n],
    'Duration<MICROSECOND>',
    [5000000n, 6000000n, 7000n, -1000n],
  ],
  [
    new arrow.TimeSecond(),
    [5, 86399],
    new arrow.TimeNanosecond(),
    [7n, 0n],
    'Time64<NANOSECOND>',
    [5000000000n, 86399000000000n, 7n, 0n],
  ],
];

describe('record batches that come out', () => {
  for (const [one, ours, other, theirs, type, expected] of pairs)
    it(`are ${type} throughout for ${one}, then ${other}`, async () => {
      const parts = [batchOf(one, ours), batchOf(other, theirs)];
      async function* pulled() {
        yield* parts;
      }
      const tables: readonly Table[] = [
        new arrow.Table(await allOf(batches(parts))),
        new arrow.Table(await allOf(batches(pulled()))),
        await predict(model, parts, { keep: ['k'] }).table(),
        await predict(model, pulled(), { keep: ['k'] }).table(),
        await predict(model, from(parts), { keep: ['k'] }).table(),
      ];
      for (const table of tables) {
        expect(String(table.schema.fields.find(({ name }) => name === 'k')!.type)).to.equal(type);
        expect([...table.getChild('k')!]).to.deep.equal(expected);
      }
    });

  it('keep the type of the first where they leave before the next is pulled, and refuse one that it cannot hold', async () => {
    const [whole, half] = [batchOf(new arrow.Int32(), [1, 2]), batchOf(new arrow.Float64(), [0.5, 1])];
    const scored = (parts: RecordBatch[]) =>
      lastValueFrom(from(parts).pipe(predictBatches(model, { keep: ['k'] }), toArray()));
    const table = new arrow.Table(await scored([half, whole]));
    expect([...table.getChild('k')!]).to.deep.equal([0.5, 1, 1, 2]);
    const error = await scored([whole, half]).catch(problem => problem);
    expect([error.code, error.message]).to.deep.equal([
      'ERR_COLUMN',
      'the batches, column "k": is Float64, but Int32 in the batches; columns need one type in all batches: convert the column before, or leave it out',
    ]);
    const texts = await scored([batchOf(new arrow.Utf8(), ['a']), batchOf(new arrow.Utf8(), ['b'])]);
    expect([...new arrow.Table(texts).getChild('k')!]).to.deep.equal(['a', 'b']);
  });

  it('are whole in every format, from several files and large ones, with a column of texts', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-schema-'));
    try {
      const paths = [2, 70_000].map((rows, k) => {
        const path = join(folder, `${k}.csv`);
        writeFileSync(
          path,
          `x,k\n${Array.from({ length: rows }, (_, i) => `${i},town ${k} ${i % 1000}`).join('\n')}\n`,
        );
        return path;
      });
      const expected = [...(await predict(model, paths, { keep: ['k'] }).table()).getChild('k')!];
      expect([expected.length, expected[1], expected.at(-1)]).to.deep.equal([70_002, 'town 0 1', 'town 1 999']);
      for (const format of ['arrow', 'arrow-stream', 'parquet', 'csv', 'ndjson'] as const) {
        const path = join(folder, `out.${format === 'arrow-stream' ? 'arrows' : format}`);
        await writeBatches(path, predict(model, paths, { keep: ['k'] }), format);
        const found =
          format === 'arrow' || format === 'arrow-stream'
            ? arrow.tableFromIPC(readFileSync(path))
            : new arrow.Table(await allOf(batches(path)));
        expect([...found.getChild('k')!], format).to.deep.equal(expected);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  for (const format of ['arrow', 'arrow-stream', 'parquet', 'csv', 'ndjson'] as readonly BatchFormat[])
    it(`are refused as ${format} where one has another schema, or their source fails, and leave no file`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'sluice-schema-'));
      try {
        async function* differing() {
          yield batchOf(new arrow.Int32(), [1]);
          yield batchOf(new arrow.Float64(), [1]);
        }
        async function* failing() {
          yield batchOf(new arrow.Int32(), [1]);
          throw new Error('gone');
        }
        const path = join(folder, 'out');
        const differs = await writeBatches(path, differing(), format).catch(problem => problem);
        expect(differs.code).to.equal('ERR_COLUMN');
        expect(differs.message).to.include('k: Float64').and.include('k: Int32');
        const fails = await writeBatches(path, failing(), format).catch(problem => problem);
        expect(fails.message).to.equal('gone');
        const { Writable } = await import('node:stream');
        const output = new Writable({ write: (_, __, done) => done() });
        expect((await streamBatches(output, differing(), format).catch(problem => problem)).code).to.equal(
          'ERR_COLUMN',
        );
        expect(() => readFileSync(path)).to.throw(/ENOENT/);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });

  it('are none, or empty, where no rows go in', async () => {
    const part = batchOf(new arrow.Utf8(), ['a', 'b']);
    const none = part.slice(0, 0);
    const scored = await lastValueFrom(
      from([part, none, part]).pipe(predictBatches(model, { keep: ['k'] }), toArray()),
    );
    expect(scored.map(({ numRows }) => numRows)).to.deep.equal([2, 0, 2]);
    expect(new arrow.Table(scored).numRows).to.equal(4);
    for (const keep of [[], ['k']]) {
      for (const source of [
        none,
        [none],
        (async function* () {
          yield none;
          yield part;
          yield none;
        })(),
      ]) {
        const table = await predict(model, source, { keep }).table();
        expect(table.schema.fields.map(({ name }) => name)).to.deep.equal([...keep, 'prediction']);
        expect(table.numRows).to.be.oneOf([0, 2]);
      }
      for (const source of [[], (function* (): Generator<RecordBatch> {})(), from([] as RecordBatch[])]) {
        const table = await predict(model, source, { keep }).table();
        expect(table.numRows).to.equal(0);
        expect(table.getChild('prediction')).to.not.equal(null);
      }
    }
    expect((await allOf(batches(none))).map(({ numRows, schema }) => [numRows, schema.fields.length])).to.deep.equal([
      [0, 2],
    ]);
    const refused = await estimate([], { target: 'y' }).catch(problem => problem);
    expect(refused.message).to.equal('the batches: has no rows; give at least one row');
  });

  it('name the column that cannot be kept, and its type', async () => {
    const types = [new arrow.List(new arrow.Field('e', new arrow.Float64())), new arrow.Binary()];
    for (const [k, type] of types.entries()) {
      const part = batchOf(type, [k === 0 ? [1] : new Uint8Array([1])]);
      const error = await predict(model, part, { keep: ['k'] })
        .table()
        .catch(problem => problem);
      expect(error.code).to.equal('ERR_COLUMN');
      expect(error.message).to.match(/column "k": is (List<.*>|Binary), which cannot be read; leave it out/);
    }
  });
});
