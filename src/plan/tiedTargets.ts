import type { SampleBatch } from '../sample/sampleBatch.ts';
import { middle } from './standardized.ts';

/**
 * Whether more than half of the rows within `reach` of a fit have one and the same target, as counts that are mostly 0 have. The fit then follows a value rather than a line, and its residuals have no scale that
 * the other rows could be held against. A value that many rows have far from the fit, such as a code for what is missing, is no such tie.
 */
export function areTargetsTied(
  { target, weights }: SampleBatch,
  residuals: Float64Array,
  reach: number,
): boolean {
  const isNear = (_: number, i: number): boolean => Math.abs(residuals[i]!) <= reach && weights?.[i] !== 0;
  const near = target.filter(isNear);
  const counts = weights?.filter(isNear) ?? new Float64Array(near.length).fill(1);
  // A value that more than half of them have is their median.
  const value = middle(near.slice(), weights && counts);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const same = counts.reduce((sum, count, i) => (near[i] === value ? sum + count : sum), 0);
  return 2 * same > total;
}
