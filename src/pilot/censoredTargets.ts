/**
 * Targets that were cut off at a bound, such as scores that end at 100 or amounts below a limit of detection that were
 * set to it: many are exactly the smallest or the largest of all, and of the others few are alike. A line does not bend
 * at a bound, so that its slopes are too flat.
 *
 * One row in fifty has the bound, and ten at least. The others have twenty values or more, none half as frequent as the
 * bound, and the five next to it none a sixth: counts thin out more evenly, and answers from 1 to 5 are too few.
 * Targets of a continuous law have no two alike, so that there is no false alarm among them.
 */
import type { SampleBatch } from '../sample/sampleBatch.ts';
import { extremesOf, multiplicities, type ValueCount } from './valueCounts.ts';

export interface CensoringBound {
  readonly at: 'smallest' | 'largest';
  readonly value: number;
  /** Of the rows that count. */
  readonly share: number;
}

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
  return [
    ...boundAt('smallest', smallest, runs.slice(0, NEXT)),
    ...boundAt('largest', largest, runs.slice(-NEXT)),
  ];
}

const LEAST_ROWS = 10;
const LEAST_SHARE = 0.02;
const LEAST_DIFFERENT = 20;
const NEXT = 5;
const STANDS_OUT = 6;
