/** Notes on coefficients that few rows tell of, or rows that the loss leaves out. */

import type { Estimate } from '../../flow/estimate.ts';
import { HUBER_TUNING } from '../../loss/tunings.ts';
import type { Pilot } from '../../pilot/pilot.ts';
import type { RejectedGroup } from '../../pilot/rejectedGroups.ts';
import { INTERCEPT } from '../../sample/intercept.ts';
import { listed } from '../../sample/listed.ts';
import type { ExplainOptions } from './explanation.ts';
import { digits, nameOf, rowsIn, tunedLoss } from './words.ts';

/** Steps that see all rows measure the curvature as they go; two or three on fresh ones rely on the pilot's. */
export function rareColumnNotes(
  { pilot, layout, uncertainty }: Estimate,
  { names }: ExplainOptions,
): readonly string[] {
  const isFull = layout.mode === 'full';
  // Without a finite estimate there is more to say of a column, and it is said.
  const rare = (pilot?.columns.rare ?? []).filter(
    ({ column, rows }) => !isFull || (rows < FEW_OF_ALL && !pilot!.columns.unbounded.includes(column)),
  );
  return rare.map(({ column, rows }) =>
    isFull
      ? `${JSON.stringify(nameOf(column, names))} leaves its usual value in only ${rowsIn(rows)}: its coefficient is what ${rows === 1 ? 'this one says' : 'these say'}${uncertainty === null ? '' : ', and its interval supposes that noise is the same there as elsewhere'}`
      : `${JSON.stringify(nameOf(column, names))} leaves its usual value in only ${rows} of ${pilot!.rows.count} pilot rows: its coefficient is rough${uncertainty === null ? '' : ', and its interval too narrow'}; \`mode: 'full'\` does better`,
  );
}

/** With more, their own residuals tell of their noise. */
const FEW_OF_ALL = 5;

/** Columns that are no levels of a text may leave a coefficient to few rows as well. */
export function weakCoefficientNotes(
  { pilot, plan, fit, uncertainty }: Estimate,
  { names }: ExplainOptions,
): readonly string[] {
  const few = pilot?.columns.weak ?? [];
  // Where classes are apart, hardly a row is in doubt, and that tells nothing of the columns.
  if (few.length === 0 || pilot!.estimate.isSeparated) return [];
  const isIntercept = (column: number): boolean => plan.intercept && column === fit.theta.length - 1;
  const found = few.map(({ column }) => (isIntercept(column) ? INTERCEPT : nameOf(column, names)));
  const rows = Math.max(...few.map(row => row.rows));
  const numbers = few.filter(({ column, isLevel }) => !isLevel && !isIntercept(column));
  const skewed = listed(numbers.map(({ column }) => nameOf(column, names)));
  const [of, their] = numbers.length === 1 ? ['it', 'its slope'] : ['them', 'their slopes'];
  const [why, advice] =
    numbers.length === 0
      ? ['since in all others columns add up to the same', 'leave a frequent level undeclared']
      : [
          `for so few lie far enough out in ${skewed} to tell ${their} from the others'`,
          `take ${numbers.every(({ isPositive }) => isPositive) ? 'logarithms or ranks' : 'ranks'} of ${of}`,
        ];
  return [
    `about ${rows} of ${rowsIn(pilot!.rows.count)} in the pilot ${rows === 1 ? 'decides' : 'decide'} ${listed(found)}, ${why}${uncertainty === null ? '' : ': intervals suppose that noise is the same there as elsewhere'}; ${advice}, or leave one of the columns out`,
  ];
}

/** What a group of rows has of its own is told by those of them that happen to be near the fit. */
export function rejectedGroupNotes(
  { pilot, uncertainty }: Estimate,
  { names }: ExplainOptions,
): readonly string[] {
  return withoutCodes(pilot, pilot?.residuals.rejectedGroups).map(
    ({ column, rows, share }) =>
      `of the ${rows} pilot rows that tell of ${JSON.stringify(nameOf(column, names))}, ${digits(100 * share)} % as good as do not count, for they are far from the fit: they have more noise than others, or a law of their own, and its coefficient${uncertainty === null ? ' is' : ' and interval are'} not to be relied on; ${tunedLoss('pseudo-huber', HUBER_TUNING * pilot!.residuals.scale)} counts them, and a fit of these rows alone shows what they follow`,
  );
}

/** Noise that grows with a feature and rows that do not belong look alike there. */
export function rejectedExtremeNotes(
  { pilot, isLossOpen, uncertainty }: Estimate,
  { names }: ExplainOptions,
): readonly string[] {
  const found = withoutCodes(pilot, pilot?.residuals.rejectedExtremes).filter(
    ({ share }) => share < NEARLY_ALL,
  );
  if (found.length === 0) return [];
  const shares = found.map(({ share }) => 100 * share);
  const [least, most] = [digits(Math.min(...shares)), digits(Math.max(...shares))];
  const isOne = found.length === 1;
  const harm = uncertainty === null ? 'say little' : 'are rough, and their intervals too narrow';
  const advice = [
    isLossOpen
      ? `${tunedLoss('pseudo-huber', HUBER_TUNING * pilot!.residuals.scale)} counts them`
      : 'a loss with a larger parameter counts them',
    ...(pilot!.targets.arePositive ? ['the logarithm of the target often makes such noise even'] : []),
  ];
  return [
    `of the pilot rows far out in ${listed(found.map(({ column }) => nameOf(column, names)))}, ${least === most ? least : `${least} to ${most}`} % as good as do not count, for they are far from the fit: that is as it should be if they do not belong, but if noise grows with ${isOne ? 'this feature' : 'these features'}, coefficients ${harm}; ${advice.join(', and ')}`,
  ];
}

/** Rows with a code for what is missing are not to count. */
const withoutCodes = (pilot: Pilot | null, groups: readonly RejectedGroup[] = []): readonly RejectedGroup[] =>
  groups.filter(({ column }) => !pilot!.columns.missingCodes.some(code => code.column === column));

/** However large noise is, some rows are near the fit by chance: where hardly one is, they do not belong. */
const NEARLY_ALL = 0.9;
