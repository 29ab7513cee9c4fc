import { refuse } from '../../errors.ts';
import { type Random, uniform } from '../../math/random/random.ts';
import { dot, filled } from '../../math/vector.ts';
import { sampleBatch } from '../../sample/sampleBatch.ts';
import type { SyntheticSample } from './syntheticSample.ts';

/** What contaminated rows look like. */
export type Outliers = 'point' | 'cluster' | 'gradient';

/**
 * Huber's contamination: every row is replaced, with probability eps, by one from another distribution.
 *
 *   point      all at one point, with an extreme target
 *   cluster    a separate group of rows, shifted away and with different targets
 *   gradient   rows of ordinary size whose gradients all point in one direction: only their number gives them away
 *
 *   eps -> share
 */
export function contaminate(
  { batch, truth }: SyntheticSample,
  { share, outliers, random }: { readonly share: number; readonly outliers: Outliers; readonly random: Random },
): SyntheticSample {
  if (!(share >= 0 && share < 1 / 2)) refuse('share', 'be in [0, 1/2)', share);
  const columns = batch.columns.map(column => column.slice());
  const target = batch.target.slice();
  // Of length 1: outliers with high leverage would make any descent diverge, and show nothing else.
  const unit = filled(columns.length, 1 / Math.sqrt(columns.length));
  const move = (i: number, change: (x: number, j: number) => number): void => {
    columns.forEach((column, j) => {
      column[i] = change(column[i]!, j);
    });
  };
  const place: Readonly<Record<Outliers, (i: number) => void>> = {
    point: i => {
      move(i, (_, j) => unit[j]!);
      target[i] = 50;
    },
    cluster: i => {
      move(i, (x, j) => x + unit[j]!);
      target[i]! -= 20;
    },
    gradient: i => {
      move(i, (_, j) => unit[j]!);
      target[i] = dot(unit, truth) + 5;
    },
  };
  const replace = place[outliers] ?? refuse('outliers', `be one of ${Object.keys(place).join(', ')}`, outliers);
  for (let i = 0; i < batch.rows; i++) if (uniform(random) < share) replace(i);
  return { batch: sampleBatch(columns, target), truth };
}
