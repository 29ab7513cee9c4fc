import { ArgumentError, refuse } from '../../errors.ts';
import { maxNorm } from '../../math/vector.ts';
import { LEAST_WEIGHT } from '../../sample/leastWeight.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';
import { counted } from '../../words.ts';

/** Squares of larger values, or their sums, overflow. */
export const LARGEST_VALUE = 1e150;

/** Throws where rows cannot be used, and names the columns. */
export function requireUsable(batch: SampleBatch, names: readonly string[]): void {
  if (batch.weights?.every(weight => weight === 0)) {
    throw new ArgumentError(
      `none of the ${batch.rows} pilot rows counts: all have weight 0, or values that cannot be used; \`inspectTable\` tells which columns have none`,
    );
  }
  const odd = batch.weights?.find(weight => !(weight >= 0 && weight < Infinity));
  if (odd !== undefined) refuse('weights', 'be finite numbers of 0 or more', odd);
  if (batch.weights?.every(weight => weight < LEAST_WEIGHT)) {
    throw new ArgumentError(
      `the largest of the \`weights\` of the ${counted(batch.rows, 'pilot row')} is ${maxNorm(batch.weights)}, and numbers that small lose precision; multiply all weights by one number, so that the largest is about 1`,
    );
  }
  const large = [...batch.columns, batch.target].flatMap((column, j) => {
    if (maxNorm(column) <= LARGEST_VALUE) return [];
    const name = j < batch.columns.length ? `column ${JSON.stringify(names[j] ?? j)}` : 'the target';
    const odd = column.find(value => !Number.isFinite(value));
    if (odd !== undefined) refuse(name, 'hold finite numbers', odd);
    const beyond = column.filter(value => Math.abs(value) > LARGEST_VALUE);
    return [
      `${name} (${beyond[0]}${beyond.length > 1 ? ` and ${beyond.length - 1} more` : ''} of ${batch.rows})`,
    ];
  });
  if (large.length > 0) {
    throw new ArgumentError(
      `values beyond ${LARGEST_VALUE} are too large to square, in ${large.join(', ')}; fix or remove these rows, or divide the whole column by a power of ten`,
    );
  }
}
