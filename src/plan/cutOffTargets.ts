/**
 * Targets that were cut off at a bound, such as scores that end at 100 or amounts below a limit of detection that were set to it: many are exactly the smallest or the largest of all, and of the others few are
 * alike. A line does not bend at a bound, so that its slopes are too flat.
 *
 * One row in fifty has the bound, and ten at least. The others have twenty values or more, none half as frequent as the bound, and the five next to it none a sixth: counts thin out more evenly, and answers from 1 to 5 are too
 * few. Targets of a continuous law have no two alike, so that there is no false alarm among them.
 */
import type { SampleBatch } from '../sample/sampleBatch.ts';

export interface CutOff {
  readonly at: 'smallest' | 'largest';
  readonly value: number;
  /** Of the rows that count. */
  readonly share: number;
}

export function cutOffTargets({ rows, target, weights }: SampleBatch): readonly CutOff[] {
  let length = 0;
  let smallest = Infinity;
  let largest = -Infinity;
  let atSmallest = 0;
  let atLargest = 0;
  for (let i = 0; i < rows; i++) {
    if (weights !== undefined && weights[i] === 0) continue;
    const value = target[i]!;
    length++;
    if (value <= smallest) {
      atSmallest = value === smallest ? atSmallest + 1 : 1;
      smallest = value;
    }
    if (value >= largest) {
      atLargest = value === largest ? atLargest + 1 : 1;
      largest = value;
    }
  }
  if (!(smallest < largest)) return [];
  const few = Math.max(LEAST_ROWS, LEAST_SHARE * length);
  if (Math.max(atSmallest, atLargest) < few) return [];
  const between = target
    .subarray(0, rows)
    .filter((value, i) => weights?.[i] !== 0 && value !== smallest && value !== largest)
    .sort();
  const runs = runsOf(between);
  const most = runs.reduce((longest, run) => Math.max(longest, run), 0);
  if (runs.length < LEAST_DIFFERENT) return [];
  const bounds: readonly (CutOff & { readonly count: number; readonly next: readonly number[] })[] = [
    {
      at: 'smallest',
      value: smallest,
      share: atSmallest / length,
      count: atSmallest,
      next: runs.slice(0, NEXT),
    },
    { at: 'largest', value: largest, share: atLargest / length, count: atLargest, next: runs.slice(-NEXT) },
  ];
  return bounds.flatMap(({ count, next, ...bound }) =>
    count >= few && most < count / 2 && next.every(run => count >= STANDS_OUT * run) ? [bound] : [],
  );
}

const LEAST_ROWS = 10;
const LEAST_SHARE = 0.02;
const LEAST_DIFFERENT = 20;
const NEXT = 5;
const STANDS_OUT = 6;

/** How many rows have each value, in the order of the values. */
function runsOf(sorted: Float64Array): readonly number[] {
  const runs: number[] = [];
  for (let i = 0; i < sorted.length; i++) {
    if (i > 0 && sorted[i] === sorted[i - 1]) runs[runs.length - 1]!++;
    else runs.push(1);
  }
  return runs;
}
