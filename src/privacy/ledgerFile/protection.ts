import { ArgumentError, refuse, requireInteger } from '../../errors.ts';
import { inCode } from '../../words.ts';

/**
 * What a run protects: one row, or all rows of a unit such as a person, of which at most a given number is used.
 *
 * Guarantee. mu is the cost of replacing what a run protects, so mu^2 adds only over runs that protect the same: for a
 * person with 20 rows, a run that protects one row costs up to 20 times the mu that it charges. A data set keeps to
 * what its first run protects.
 * Edge cases. Lines written before runs recorded what they protect count as one row, and so do runs that differ, in a
 * file that holds such runs: it is the least that all of them protect, since replacing one row of a unit by another of
 * that unit costs no more than replacing all that are used. The other way round it could cost many times more, so such
 * a data set accepts no further runs for units.
 */
export type Protection = 'row' | { readonly unit: string; readonly maxPerUnit: number };

export function requireProtection(protects: Protection): Protection {
  if (protects === 'row') return protects;
  const { unit, maxPerUnit } = protects ?? {};
  if (typeof unit !== 'string' || unit === '') {
    return refuse(
      'protects',
      'be "row", or the column of a unit and the most rows used of each',
      protects,
      'give "row" or { unit, maxPerUnit }',
    );
  }
  return { unit, maxPerUnit: requireInteger('protects.maxPerUnit', maxPerUnit, 1) };
}

/** What all of these runs protect; null stands for a run that does not record it. */
export function commonProtection(all: readonly (Protection | null)[]): Protection | null {
  const [first, ...others] = all;
  if (first === undefined) return null;
  return first !== null && others.every(other => other !== null && isSame(first, other)) ? first : 'row';
}

/** Refuses a run that protects something other than the earlier runs on its data set. */
export function requireSameProtection(dataset: string, established: Protection | null, asked: Protection): void {
  if (established === null || isSame(established, asked)) return;
  const same =
    established === 'row'
      ? 'leave out `unit` and `maxPerUnit`'
      : `give \`unit: ${inCode(established.unit)}, maxPerUnit: ${established.maxPerUnit}\``;
  throw new ArgumentError(
    `the account of data set ${JSON.stringify(dataset)} protects ${protectionText(established)}, but the run would protect ${protectionText(asked)}, ` +
      `and costs for different units do not add up; ${same}`,
    'ERR_CONFLICT',
    { dataset, established, asked },
  );
}

/** What a run protects, in plain words. */
export const protectionText = (protects: Protection): string =>
  protects === 'row'
    ? 'one row'
    : `all rows of one ${protects.unit}, of which at most ${protects.maxPerUnit} ${protects.maxPerUnit === 1 ? 'is' : 'are'} used`;

function isSame(a: Protection, b: Protection): boolean {
  if (a === 'row' || b === 'row') return a === b;
  return a.unit === b.unit && a.maxPerUnit === b.maxPerUnit;
}
