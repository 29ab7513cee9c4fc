import type { SampleBatch } from '../../sample/sampleBatch.ts';
import { medianOf } from './standardized.ts';

/**
 * Whether more than half of the rows within `reach` of a fit have the same target, as counts that are mostly 0 do. The
 * fit then follows a value rather than a line, and its residuals have no scale by which to judge other rows. A value
 * that many rows have far from the fit, such as a code for a missing value, is not such a tie; neither is the value of
 * a single row, whatever its weight.
 */
export function areTargetsTied(
  { target, weights }: SampleBatch,
  residuals: Float64Array,
  reach: number,
): boolean {
  const near = new Float64Array(target.length);
  const counts = new Float64Array(target.length);
  let [found, total] = [0, 0];
  for (let i = 0; i < target.length; i++) {
    const count = weights?.[i] ?? 1;
    if (!(Math.abs(residuals[i]!) <= reach) || count === 0) continue;
    near[found] = target[i]!;
    counts[found++] = count;
    total += count;
  }
  // A value that more than half of them have is the median.
  const value = medianOf(near.slice(0, found), weights && counts.subarray(0, found));
  let [same, rows] = [0, 0];
  for (let i = 0; i < found; i++) {
    if (near[i] !== value) continue;
    same += counts[i]!;
    rows++;
  }
  return rows > 1 && 2 * same > total;
}
