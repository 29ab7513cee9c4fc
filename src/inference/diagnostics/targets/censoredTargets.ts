import type { SampleBatch } from '../../../sample/sampleBatch.ts';
import { percent, type Tell } from '../notes.ts';
import { extremesOf, multiplicities, type ValueCount } from '../valueCounts.ts';

export interface CensoringBound {
  readonly at: 'smallest' | 'largest';
  readonly value: number;
  /** Of the rows of positive weight. */
  readonly share: number;
}

/**
 * Targets censored at a bound, such as scores that end at 100 or amounts set to a detection limit: many equal the
 * smallest or the largest of all, and the others have few ties. A line does not bend at a bound, so that its slopes are
 * too flat.
 *
 * One row in fifty is at the bound, and at least ten. The others have at least twenty values, none half as frequent as
 * the bound, and none of the five next to it a sixth as frequent: counts thin out more evenly, and ratings from 1 to 5
 * have too few values. Continuous targets have no ties, so that there is no false alarm among them.
 */
export function censoredTargets({ rows, target, weights }: SampleBatch): readonly CensoringBound[] {
  const counting = target.subarray(0, rows).filter((_, i) => weights?.[i] !== 0);
  const { length } = counting;
  const few = Math.max(LEAST_ROWS, LEAST_SHARE * length);
  const [smallest, largest] = extremesOf(counting);
  if (!(smallest.value < largest.value) || Math.max(smallest.count, largest.count) < few) return [];
  const between = counting.sort().subarray(smallest.count, length - largest.count);
  const runs = multiplicities(between);
  if (runs.length < LEAST_DIFFERENT) return [];
  const most = runs.reduce((longest, run) => Math.max(longest, run), 0);
  const boundAt = (
    at: CensoringBound['at'],
    { value, count }: ValueCount,
    next: readonly number[],
  ): readonly CensoringBound[] =>
    count >= few && most < count / 2 && next.every(run => count >= STANDS_OUT * run)
      ? [{ at, value, share: count / length }]
      : [];
  return [...boundAt('smallest', smallest, runs.slice(0, NEXT)), ...boundAt('largest', largest, runs.slice(-NEXT))];
}

const LEAST_ROWS = 10;
const LEAST_SHARE = 0.02;
const LEAST_DIFFERENT = 20;
const NEXT = 5;
const STANDS_OUT = 6;

/** Without the bound, targets would follow the line beyond it. */
export const censoringNotes: Tell = ({ pilot }) => {
  const found = pilot.targets.censoringBounds;
  if (found.length === 0) return null;
  const bounds = found.map(
    ({ at, value, share }, k) => `${percent(share)} ${k === 0 ? 'of the pilot targets ' : ''}are ${value}, the ${at}`,
  );
  const code = found.length === 1 ? `${found[0]!.value} means` : 'these mean';
  return `${bounds.join(', and ')}: if targets were cut off there, slopes are biased, and no interval shows it; model the bound separately, or remove these rows if ${code} "missing"`;
};
