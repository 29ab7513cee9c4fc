import { counted } from '../../../words.ts';
import { severe, type Tell } from '../notes.ts';

export interface RareTargets {
  /** The target of almost all rows, and how many have another. */
  readonly value: number;
  readonly others: number;
}

/**
 * Targets of which all but a few are equal: the few decide, and as their number is known to its square root only,
 * intervals from so few rows are too narrow. With 5 to 10 of 10,000 rows they covered 80 %.
 *
 * Null where more rows have other targets, or all have the same.
 */
export function rareTargets(target: Float64Array): RareTargets | null {
  const sorted = target.slice().sort();
  const value = sorted[sorted.length >> 1]!;
  let others = 0;
  for (let i = 0; i < target.length; i++) if (target[i] !== value) others++;
  return others > 0 && others < ENOUGH && others < RARE * target.length ? { value, others } : null;
}

/** From so many on, the error of their number is less than a fifth of it. */
const ENOUGH = 30;
const RARE = 0.1;

export const rareTargetNotes: Tell = ({ pilot, uncertainty }) => {
  const { rareTargets: rare } = pilot.targets;
  if (rare === null) return null;
  const { value, others } = rare;
  const narrow = uncertainty === null ? '' : ', and intervals are too narrow';
  return severe(
    `all but ${others} of ${counted(pilot.rows.count, 'pilot row')} have the target ${value}: those few rows decide the estimate${narrow}; use more rows, or model first whether a target is ${value}`,
  );
};
