import type { SampleBatch } from '../../../sample/sampleBatch.ts';
import type { Tell } from '../notes.ts';
import { multiplicities } from '../valueCounts.ts';

/** Fewer rows may have two targets by chance. */
const ENOUGH_ROWS = 10;

/** The two targets, the smaller first, where rows of positive weight have no others; otherwise null. */
export function twoValues({
  rows,
  target,
  weights,
}: Pick<SampleBatch, 'rows' | 'target' | 'weights'>): readonly [number, number] | null {
  if (rows < ENOUGH_ROWS) return null;
  const found: number[] = [];
  for (let i = 0; i < rows; i++) {
    if (weights?.[i] === 0 || found.includes(target[i]!)) continue;
    if (found.length === 2) return null;
    found.push(target[i]!);
  }
  const [first, second] = found;
  if (first === undefined || second === undefined) return null;
  return first < second ? [first, second] : [second, first];
}

export const twoValueNotes: Tell = ({ pilot }) => {
  const [least, most] = pilot.targets.twoValues ?? [0, 1];
  return least === 0 && most === 1
    ? null
    : `the target has two values, ${least} and ${most}: recode them as 0 and 1 for a logistic fit of probabilities`;
};

/**
 * Targets that may be codes of classes rather than numbers, such as 0, 1 and 2 for three species: three to six
 * consecutive whole values from 0 or 1 on, each at least 0.6 times as frequent as the most frequent one. Counts have a
 * tail: fewer than one sample in a hundred of fifty Poisson counts, of any mean, looks like that, and hardly one of a
 * hundred counts. With fewer rows it is impossible to tell. Null where they look like numbers.
 */
export function classCodes(target: Float64Array): { readonly first: number; readonly count: number } | null {
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

/** Codes have no distances, and their order is arbitrary. */
export const classCodeNotes: Tell = ({ pilot }) => {
  if (pilot.targets.classCodes === null) return null;
  const { first, count } = pilot.targets.classCodes;
  const values = Array.from({ length: count }, (_, k) => first + k);
  const last = values.pop()!;
  return `the target has ${count} values, ${values.join(', ')} and ${last}, about equally often: if they are class codes, a linear fit is meaningless; fit one 0/1 target per class instead`;
};
