import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
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
});
