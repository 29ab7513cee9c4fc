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
  const store = rowStore(features);
  store.begin(rows);
  for await (const batch of batches) store.add(batch);
  return store.batch();
}

/** Memory that rows are copied into, and used again for later rows where it is large enough. */
export interface RowStore {
  /** Makes room for so many rows, and forgets those it has. */
  begin(rows: number): void;
  add(batch: SampleBatch): void;
  /** The rows added so far, valid until the next `begin`. */
  batch(): SampleBatch;
}

export function rowStore(features: number): RowStore {
  let room = roomFor(0, features);
  let [rows, at, weighted] = [0, 0, false];
  return {
    begin(count) {
      if (room.target.length < count) room = roomFor(count, features);
      room.weights.fill(1);
      [rows, at, weighted] = [count, 0, false];
    },
    add(batch) {
      requireBatch(batch, features);
      if (at + batch.rows > rows)
        throw new ArgumentError(`the batches must have at most ${rows} rows in all, got more`, 'ERR_CHANGED', {
          expected: rows,
        });
      batch.columns.forEach((column, j) => {
        room.columns[j]!.set(column.subarray(0, batch.rows), at);
      });
      room.target.set(batch.target.subarray(0, batch.rows), at);
      if (batch.weights !== undefined) {
        room.weights.set(batch.weights.subarray(0, batch.rows), at);
        weighted = true;
      }
      at += batch.rows;
    },
    batch: () => ({ rows: at, columns: room.columns, target: room.target, ...(weighted && { weights: room.weights }) }),
  };
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
