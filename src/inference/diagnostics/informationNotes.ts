/** Notes on coefficients that are determined by few rows, or by rows that the loss rejects. */

import { HUBER_TUNING } from '../../method/loss/lossByName.ts';
import type { FittedRun } from '../fittedRun.ts';
import type { Pilot } from '../pilot/pilot.ts';
import type { ExplainOptions } from './explanation.ts';
import { digits, listing, quoted, quotedCoefficient, rowsIn, tunedLoss } from './noteWords.ts';
import type { RejectedGroup } from './rejectedGroups.ts';

/** Steps over all rows measure the curvature themselves; two or three on fresh chunks rely on the pilot's. */
export function rareColumnNotes(
  { pilot, layout, uncertainty }: FittedRun,
  { names }: ExplainOptions,
): readonly string[] {
  const isFull = layout.mode === 'full';
  // Columns without a finite estimate have a note of their own.
  const rare = (pilot?.columns.rare ?? []).filter(
    ({ column, rows }) => !isFull || (rows < FEW_OF_ALL && !pilot!.columns.unbounded.includes(column)),
  );
  if (rare.length === 0) return [];
  const isOne = rare.length === 1;
  const each = rare.map(({ column, rows }) => `${quoted(column, names)} (${rows})`);
  const { column, rows } = rare[0]!;
  const differs = isOne
    ? `${quoted(column, names)} differs from its usual value in only ${isFull ? rowsIn(rows) : `${rows} of ${pilot!.rows.count} pilot rows`}`
    : `${listing(each)} differ from their usual values in only that many ${isFull ? 'rows' : `of ${pilot!.rows.count} pilot rows`}`;
  const [coefficient, interval] = isOne ? ['its coefficient', 'its interval'] : ['coefficients', 'intervals'];
  if (isFull) {
    const assumption =
      uncertainty === null
        ? ''
        : `, and ${interval} ${isOne ? 'assumes' : 'assume'} the same noise there as elsewhere`;
    return [`${differs}: ${coefficient} ${isOne ? 'rests' : 'rest'} on these alone${assumption}`];
  }
  const narrow = uncertainty === null ? '' : `, and ${interval} too narrow`;
  return [`${differs}: ${coefficient} ${isOne ? 'is' : 'are'} imprecise${narrow}; use \`mode: 'full'\``];
}

/** With more rows, their residuals show their noise. */
const FEW_OF_ALL = 5;

/** Columns that are not levels of a text may also leave a coefficient to few rows. */
export function weakCoefficientNotes(
  { pilot, plan, fit, uncertainty }: FittedRun,
  { names }: ExplainOptions,
): readonly string[] {
  const few = pilot?.columns.weak ?? [];
  // Where classes are separated, hardly any row is uncertain, whatever the columns.
  if (few.length === 0 || pilot!.estimate.isSeparated) return [];
  const isIntercept = (column: number): boolean => plan.intercept && column === fit.theta.length - 1;
  const found = few.map(({ column }) => quotedCoefficient(column, names, plan));
  const rows = Math.max(...few.map(row => row.rows));
  const numbers = few.filter(({ column, isLevel }) => !isLevel && !isIntercept(column));
  const [why, advice] =
    numbers.length === 0
      ? ['the columns add up to a constant in all others', 'leave a frequent level undeclared']
      : [
          'only these have extreme enough features',
          `use ${numbers.every(({ isPositive }) => isPositive) ? 'logarithms or ranks' : 'ranks'} of the features`,
        ];
  const assumption = uncertainty === null ? '' : '. Intervals assume the same noise there as elsewhere';
  return [
    `about ${rows} of ${rowsIn(pilot!.rows.count)} in the pilot ${rows === 1 ? 'determines' : 'determine'} ${listing(found)}: ${why}${assumption}; ${advice}, or drop a column`,
  ];
}

/** The coefficient of a group is determined by those of its rows that happen to be near the fit. */
export function rejectedGroupNotes(
  { pilot, uncertainty }: FittedRun,
  { names }: ExplainOptions,
): readonly string[] {
  const found = withoutCodes(pilot, pilot?.residuals.rejectedGroups);
  if (found.length === 0) return [];
  const groups = found.map(
    ({ column, rows, share }) =>
      `${digits(100 * share)} % of the ${rows} pilot rows of ${quoted(column, names)}`,
  );
  const unreliable =
    found.length === 1
      ? `its coefficient${uncertainty === null ? ' is' : ' and interval are'} unreliable`
      : `their coefficients${uncertainty === null ? '' : ' and intervals'} are unreliable`;
  return [
    `the loss rejects ${listing(groups)}, which have more noise or follow another model: ${unreliable}. ${tunedLoss('pseudo-huber', HUBER_TUNING * pilot!.residuals.scale)} includes them; or fit them separately`,
  ];
}

/** Noise that grows with a feature cannot be told from outliers there. */
export function rejectedExtremeNotes(
  { pilot, isLossOpen, uncertainty }: FittedRun,
  { names }: ExplainOptions,
): readonly string[] {
  const found = withoutCodes(pilot, pilot?.residuals.rejectedExtremes).filter(
    ({ share }) => share < NEARLY_ALL,
  );
  if (found.length === 0) return [];
  const shares = found.map(({ share }) => 100 * share);
  const [least, most] = [digits(Math.min(...shares)), digits(Math.max(...shares))];
  const harm = uncertainty === null ? 'are imprecise' : 'are imprecise and intervals too narrow';
  const loss = isLossOpen
    ? tunedLoss('pseudo-huber', HUBER_TUNING * pilot!.residuals.scale)
    : 'a loss with a larger parameter';
  const logarithm = pilot!.targets.arePositive ? ', or fit the logarithm of the target' : '';
  return [
    `the loss rejects ${least === most ? least : `${least} to ${most}`} % of the pilot rows with extreme ${listing(found.map(({ column }) => quoted(column, names)))}. Unless they are outliers, noise grows with the feature, and coefficients ${harm}: use ${loss}${logarithm}`,
  ];
}

/** Rows with a code for a missing value should be rejected. */
const withoutCodes = (pilot: Pilot | null, groups: readonly RejectedGroup[] = []): readonly RejectedGroup[] =>
  groups.filter(({ column }) => !pilot!.columns.missingCodes.some(code => code.column === column));

/** However large the noise, some rows are near the fit by chance: where hardly one is, they are outliers. */
const NEARLY_ALL = 0.9;
