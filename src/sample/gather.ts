import { ArgumentError } from '../errors.ts';
import { columnArena, type Slot } from './arena.ts';
import { requireBatch, type SampleBatch } from './sampleBatch.ts';

/**
 * All rows of the batches, at most `rows` of them, copied into new memory: an arena where there are many, so that kernels
 * read them in place at every step.
 */
export async function gather(
  batches: AsyncIterable<SampleBatch>,
  rows: number,
  features: number,
): Promise<SampleBatch> {
  const { columns, target, weights } = roomFor(rows, features);
  weights.fill(1);
  let weighted = false;
  let at = 0;
  for await (const batch of batches) {
    requireBatch(batch, features);
    if (at + batch.rows > rows) throw new ArgumentError(`the batches must have at most ${rows} rows in all, got more`);
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

/** Values from which an arena pays: the kernel copies fewer at every step in less time than one takes to make. */
const MANY_VALUES = 2 ** 16;

function roomFor(rows: number, features: number): Slot {
  if (rows * features >= MANY_VALUES && features <= MOST_FEATURES)
    return columnArena({ features, capacity: rows, slots: 1, weights: true }).slots[0]!;
  const column = (): Float64Array => new Float64Array(rows);
  return { columns: Array.from({ length: features }, column), target: column(), weights: column() };
}

/** More would not fit into an arena's kernel region, and wide tables do not gain by one. */
const MOST_FEATURES = 1024;
