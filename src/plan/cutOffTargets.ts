/**
 * Targets that were cut off at a bound, such as scores that end at 100 or amounts below a limit of detection that were set to it: many are exactly the smallest or the largest of all, and the others are as good as
 * all different. A line does not bend at a bound, so that its slopes are too flat.
 *
 * One row in fifty has the bound, and ten at least. Of the other targets a fifth are different, and none is half as frequent as the bound: otherwise they are counts, or rounded. Targets of a continuous law have no two alike,
 * so that there is no false alarm among them.
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
  const { different, most } = runsOf(between);
  if (different < Math.max(LEAST_ROWS, DIFFERENT * between.length)) return [];
  const bounds: readonly (CutOff & { readonly count: number })[] = [
    { at: 'smallest', value: smallest, share: atSmallest / length, count: atSmallest },
    { at: 'largest', value: largest, share: atLargest / length, count: atLargest },
  ];
  return bounds.flatMap(({ count, ...bound }) => (count >= few && most < count / 2 ? [bound] : []));
}

const LEAST_ROWS = 10;
const LEAST_SHARE = 0.02;
const DIFFERENT = 0.2;

/** How many values there are, and how many rows have the most frequent one. */
function runsOf(sorted: Float64Array): { readonly different: number; readonly most: number } {
  let different = 0;
  let most = 0;
  let run = 0;
  for (let i = 0; i < sorted.length; i++) {
    if (i === 0 || sorted[i] !== sorted[i - 1]) {
      different++;
      run = 0;
    }
    run++;
    if (run > most) most = run;
  }
  return { different, most };
}
