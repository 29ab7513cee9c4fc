/**
 * Targets that may be codes of classes rather than numbers, such as 0, 1 and 2 for three species: three to six
 * consecutive whole values from 0 or 1 on, each at least 0.6 times as frequent as the most frequent one. Counts have a
 * tail: fewer than one sample in a hundred of fifty Poisson counts, of any mean, looks like that, and hardly one of a
 * hundred counts. With fewer rows it is impossible to tell.
 */
import { multiplicities } from './valueCounts.ts';

/** The number of values, and the first; null where they look like numbers. */
export interface ClassCodes {
  readonly first: number;
  readonly count: number;
}

export function classCodes(target: Float64Array): ClassCodes | null {
  if (target.length < LEAST_ROWS) return null;
  // Most targets are ruled out here, before they are sorted.
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
