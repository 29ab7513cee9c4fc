import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { DuckDBConnection } from '@duckdb/node-api';
import type { RecordBatch, Table } from 'apache-arrow';
import { expect } from 'chai';
import { type BatchFormat, streamBatches, writeBatches } from '../../../src/sink/table/writeBatches.ts';

// The copy of apache-arrow that the sources load, which static imports of a test do not get.
const arrow = await import('apache-arrow');

const table: Table = new arrow.Table({
  name: arrow.vectorFromArray(['a,"b"', null, ''], new arrow.Utf8()),
  id: arrow.vectorFromArray([1n, 2n ** 60n, null], new arrow.Int64()),
  on: arrow.vectorFromArray([true, null, false], new arrow.Bool()),
  at: arrow.vectorFromArray([0, 86_400_000, null], new arrow.TimestampMillisecond()),
  score: arrow.vectorFromArray([0.5, -0, NaN]),
});

async function* batches(): AsyncGenerator<RecordBatch> {
  yield* table.slice(0, 2).batches;
  yield* table.slice(2).batches;
}

const streamed = async (format: BatchFormat): Promise<string> => {
  const output = new PassThrough({ highWaterMark: 8 });
  const read = text(output);
  await streamBatches(output, batches(), format);
  output.end();
  return read;
};

describe('record batches that are written', () => {
  it('are lines of JSON, with whole numbers in full and times by ISO 8601', async () => {
    expect((await streamed('ndjson')).split('\n')).to.deep.equal([
      '{"name":"a,\\"b\\"","id":1,"on":true,"at":"1970-01-01T00:00:00.000Z","score":0.5}',
      '{"name":null,"id":1152921504606846976,"on":null,"at":"1970-01-02T00:00:00.000Z","score":-0}',
      '{"name":"","id":null,"on":false,"at":null,"score":null}',
      '',
    ]);
  });

  it('are CSV with one header, in which a text without letters differs from none', async () => {
    expect((await streamed('csv')).split('\n')).to.deep.equal([
      'name,id,on,at,score',
      '"a,""b""",1,true,1970-01-01T00:00:00.000Z,0.5',
      ',1152921504606846976,,1970-01-02T00:00:00.000Z,-0',
      '"",,false,,NaN',
      '',
    ]);
  });

  it('are an Arrow file that reads as what was written', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-batches-'));
    try {
      const path = join(folder, 'rows.arrow');
      await writeBatches(path, batches(), 'arrow');
      const found = arrow.tableFromIPC(readFileSync(path));
      expect(found.numRows).to.equal(3);
      table.schema.fields.forEach(({ name }, j) => {
        expect([...found.getChildAt(j)!], name).to.deep.equal([...table.getChildAt(j)!]);
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('are a Parquet file that another reader reads as what was written, in batches of any size, or none', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-batches-'));
    const duckdb = await DuckDBConnection.create();
    try {
      const path = join(folder, 'rows.parquet');
      const whole = table.assign(
        new arrow.Table({
          level: arrow.vectorFromArray(['é', null, 'é'], new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32())),
          fine: arrow.makeVector({
            type: new arrow.TimestampNanosecond(),
            length: 3,
            nullCount: 1,
            nullBitmap: Uint8Array.of(3),
            data: BigInt64Array.of(1n, 1_700_000_000_123_456_789n, 0n),
          } as never),
        }),
      );
      async function* cut(): AsyncGenerator<RecordBatch> {
        yield* whole.slice(0, 1).batches;
        yield* whole.slice(1, 1).batches;
        yield* whole.slice(1).batches;
      }
      await writeBatches(path, cut(), 'parquet');
      const found = await duckdb.runAndReadAll(
        `SELECT name, id, "on", epoch_us("at"), score, level, epoch_ns(fine) FROM '${path}'`,
      );
      expect(found.getRows()).to.deep.equal([
        ['a,"b"', 1n, true, 0n, 0.5, 'é', 1n],
        [null, 2n ** 60n, null, 86_400_000_000n, -0, null, 1_700_000_000_123_456_789n],
        ['', null, false, null, NaN, 'é', null],
      ]);
      const other = new arrow.Table({
        list: arrow.vectorFromArray([[1, 2]], new arrow.FixedSizeList(2, new arrow.Field('item', new arrow.Float64()))),
      });
      async function* lists(): AsyncGenerator<RecordBatch> {
        yield* other.batches;
      }
      const refused = join(folder, 'lists.parquet');
      const error = await writeBatches(refused, lists(), 'parquet').catch(problem => problem);
      expect(error.message).to.include('write .arrow');
      expect(existsSync(refused)).to.equal(false);
    } finally {
      duckdb.closeSync();
      rmSync(folder, { recursive: true });
    }
  });
});
