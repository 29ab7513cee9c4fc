import type { Vector } from '../../math/vector.ts';
import type { SampleBatch } from '../sampleBatch.ts';
import type { Samples } from '../samples.ts';
import { rewritten, weighLongRows } from './rewritten.ts';
import { coordinatesOf, type Whitening } from './whitening.ts';

/**
 * The same rows in whitened coordinates. Rows longer than `rowLength` there, including the intercept's 1, are
 * down-weighted in proportion to their length; rows with weight 0 keep it. The result for a row depends on that row and
 * the coordinates alone.
 */
export function whitenedSamples(samples: Samples, whitening: Whitening, rowLength: number): Samples {
  const { centre, intercept } = whitening;
  const coordinates = coordinatesOf(whitening);
  return rewritten(samples, (from, to) => {
    whitenBatch(from, { centre, coordinates }, to);
    weighLongRows(to, rowLength, intercept ? 1 : 0);
  });
}

function whitenBatch(
  { columns, target, weights }: SampleBatch,
  { centre, coordinates }: { readonly centre: Vector; readonly coordinates: readonly Vector[] },
  to: Required<Omit<SampleBatch, 'endsChunk'>>,
): void {
  to.target.set(target);
  for (let i = 0; i < to.rows; i++) to.weights[i] = weights === undefined || weights[i]! > 0 ? 1 : 0;
  coordinates.forEach((factors, k) => {
    const own = to.columns[k]!.fill(0);
    columns.forEach((column, j) => {
      const [factor, middle] = [factors[j]!, centre[j]!];
      for (let i = 0; i < own.length; i++) own[i]! += factor * (column[i]! - middle);
    });
  });
}
