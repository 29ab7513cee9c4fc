import type { SampleBatch } from '../sample/sampleBatch.ts';
import { medianOf } from './standardized.ts';

/**
 * Whether more than half of the rows within `reach` of a fit have one and the same target, as counts that are mostly 0
 * have. The fit then follows a value rather than a line, and its residuals have no scale that the other rows could be
 * held against. A value that many rows have far from the fit, such as a code for what is missing, is no such tie, nor
 * is the value of one row, however much it counts.
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
  // A value that more than half of them have is their median.
  const value = medianOf(near.slice(0, found), weights && counts.subarray(0, found));
  let [same, rows] = [0, 0];
  for (let i = 0; i < found; i++) {
    if (near[i] !== value) continue;
    same += counts[i]!;
    rows++;
  }
  return rows > 1 && 2 * same > total;
}
