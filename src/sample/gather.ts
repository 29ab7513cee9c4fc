import { ArgumentError } from '../errors.ts';
import { requireBatch, type SampleBatch } from './sampleBatch.ts';

/** All rows of the batches, at most `rows` of them, copied into new memory. */
export async function gather(
  batches: AsyncIterable<SampleBatch>,
  rows: number,
  features: number,
): Promise<SampleBatch> {
  const columns = Array.from({ length: features }, () => new Float64Array(rows));
  const target = new Float64Array(rows);
  const weights = new Float64Array(rows).fill(1);
  let weighted = false;
  let at = 0;
  for await (const batch of batches) {
    requireBatch(batch, features);
    if (at + batch.rows > rows)
      throw new ArgumentError(`the batches must have at most ${rows} rows in all, got more`);
    batch.columns.forEach((column, j) => {
      columns[j]!.set(column.subarray(0, batch.rows), at);
    });
    target.set(batch.target.subarray(0, batch.rows), at);
    if (batch.weights !== undefined) {
      weights.set(batch.weights.subarray(0, batch.rows), at);
      weighted = true;
    }
    at += batch.rows;
  }
  return { rows: at, columns, target, ...(weighted ? { weights } : {}) };
}
