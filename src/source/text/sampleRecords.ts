import { type ReadOptions, readRecords } from './readRecords.ts';
import type { Records } from './records.ts';

const SAMPLE_BYTES = 1 << 22;

/** Calls `take` for each record of the sample: the first `rows` records, fewer if they take more than 4 MB. */
export async function sampleRecords(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadOptions,
  rows: number,
  take: (records: Records, row: number) => void,
): Promise<void> {
  if (rows === 0) return;
  let bytes = 0;
  for await (const records of readRecords(chunks, options)) {
    for (let row = 0; row < records.rows && records.firstRow + row < rows; row++) take(records, row);
    bytes += records.size;
    if (bytes >= SAMPLE_BYTES || records.firstRow + records.rows >= rows) return;
  }
}
