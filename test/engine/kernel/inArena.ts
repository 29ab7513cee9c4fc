import { columnArena } from '../../../src/sample/arena.ts';
import type { SampleBatch } from '../../../src/sample/sampleBatch.ts';

/** The same rows in an arena of their own. */
export function inArena({ rows, columns, target, weights }: SampleBatch): SampleBatch {
  const [slot] = columnArena({
    features: columns.length,
    capacity: Math.max(1, rows),
    slots: 1,
    weights: true,
  }).slots;
  const copy = (from: Float64Array, to: Float64Array): Float64Array => {
    to.set(from.subarray(0, rows));
    return to.subarray(0, rows);
  };
  return {
    rows,
    columns: columns.map((column, j) => copy(column, slot!.columns[j]!)),
    target: copy(target, slot!.target),
    ...(weights === undefined ? {} : { weights: copy(weights, slot!.weights) }),
  };
}
