/**
 * Targets that may be codes of classes rather than numbers, as 0, 1 and 2 of three kinds of a flower are: three to six
 * whole values from 0 or 1 on without a gap, and no other, each of them 0.6 times as frequent as the most frequent one,
 * or more. Counts have a tail: of Poisson's, of any mean, fewer than one sample in a hundred of fifty rows looks like
 * that, and hardly one of a hundred. Of fewer rows nobody can tell.
 */
import { multiplicities } from './valueCounts.ts';

/** How many values there are, and the first; null where they look like numbers. */
export interface ClassCodes {
  readonly first: number;
  readonly count: number;
}

export function classCodes(target: Float64Array): ClassCodes | null {
  if (target.length < LEAST_ROWS) return null;
  // Most targets end here, before they are sorted.
  if (!target.every(value => value >= 0 && value <= MOST_VALUES && Number.isInteger(value))) return null;
  const sorted = target.slice().sort();
  const first = sorted[0]!;
  const runs = multiplicities(sorted);
  const isWhole = sorted.at(-1)! - first + 1 === runs.length;
  const isFew = runs.length >= LEAST_VALUES && runs.length <= MOST_VALUES;
  const isEven = Math.min(...runs) >= EVEN * Math.max(...runs);
  return first <= 1 && isWhole && isFew && isEven ? { first, count: runs.length } : null;
}

const LEAST_ROWS = 50;
const LEAST_VALUES = 3;
const MOST_VALUES = 6;
const EVEN = 0.6;
