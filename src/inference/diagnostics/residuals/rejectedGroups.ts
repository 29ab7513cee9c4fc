import type { Loss } from '../../../method/loss/loss.ts';
import { HUBER_TUNING } from '../../../method/loss/lossByName.ts';
import type { SampleBatch } from '../../../sample/sampleBatch.ts';
import type { PilotedRun } from '../../fittedRun.ts';
import { digits, listing, quoted, type Tell, tunedLoss } from '../notes.ts';

export interface RejectedGroup {
  readonly column: number;
  /** The distance from the usual value beyond which rows belong to the group, in units of the column. */
  readonly beyond: number;
  /** In the group. */
  readonly rows: number;
  /** 1 - mean of omega. */
  readonly share: number;
}

/**
 * Columns where a robust loss rejects a good part of the informative rows: for a column that mostly has one value, such
 * as a rare level, those that have another; for other columns, those with extreme values.
 *
 *   omega_i = psi(r_i)/r_i, the weight of row i in the fit: 1 at residual 0, 0 far from the fit
 *
 * Where a group of rows has several times the noise of the others, or follows another line, most of it is beyond the
 * scale of all, and its coefficient is determined by the few that happen to be near. The mean of omega in the group
 * must be less than 0.6 of the others', and more than five standard errors below it: among identically distributed rows
 * none of 60,000 groups was, with normal, skewed or Cauchy noise or up to 30 % of outliers.
 *
 * For extreme values, noise that grows with a column cannot be told from outliers: with noise proportional to a
 * log-normal feature 9 of 10 fits of 200 rows show it, and so do all with 5 % of leverage outliers.
 *
 * For columns that mostly have one value, or for others; standardized, so that the usual value is 0.
 */
export function rejectedGroups(
  { rows, columns, weights }: SampleBatch,
  residuals: Float64Array,
  { loss, of }: { readonly loss: Loss; readonly of: 'levels' | 'numbers' },
): readonly RejectedGroup[] {
  const beyond = of === 'levels' ? 0 : FAR_OUT;
  const asked = columns.map(values => hasUsual(values) === (of === 'levels'));
  if (!asked.includes(true)) return [];
  const counts = new Float64Array(rows);
  const omegas = new Float64Array(rows);
  let all = 0;
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < rows; i++) {
    const r = residuals[i]!;
    counts[i] = weights?.[i] === 0 ? 0 : 1;
    omegas[i] = counts[i] === 0 ? 0 : r === 0 ? 1 : loss.slope(-r, 0) / -r;
    all += counts[i]!;
    sum += omegas[i]!;
    squares += omegas[i]! ** 2;
  }
  return columns.flatMap((values, column) => {
    if (!asked[column]) return [];
    const own = groupOf(values, beyond, counts, omegas);
    const others = all - own.rows;
    if (own.rows < LEAST_ROWS || own.rows > others) return [];
    const average = (sum - own.sum) / others;
    const variance = (squares - own.squares) / others - average ** 2;
    const mean = own.sum / own.rows;
    const isChance = average - mean < SURE * Math.sqrt(Math.max(variance, LEAST_VARIANCE) / own.rows);
    return isChance || mean > LOW * average ? [] : [{ column, beyond, rows: own.rows, share: 1 - mean }];
  });
}

/** Among the first rows, a value that half of all rows have is hardly ever rarer. */
function hasUsual(values: Float64Array): boolean {
  const first = values.subarray(0, 200);
  return 4 * first.reduce((count, value) => (value === 0 ? count + 1 : count), 0) >= first.length;
}

/** One normal value in twenty is beyond it. */
const FAR_OUT = 2;
const LEAST_ROWS = 8;
const SURE = 5;
const LOW = 0.6;

/** That of normal residuals under common tunings. */
const LEAST_VARIANCE = 0.02;

/** A function of its own, so that it is compiled once for all columns. */
function groupOf(
  values: Float64Array,
  beyond: number,
  counts: Float64Array,
  omegas: Float64Array,
): { readonly rows: number; readonly sum: number; readonly squares: number } {
  let rows = 0;
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < counts.length; i++) {
    if (!(Math.abs(values[i]!) > beyond)) continue;
    rows += counts[i]!;
    sum += omegas[i]!;
    squares += omegas[i]! * omegas[i]!;
  }
  return { rows, sum, squares };
}

/** The coefficient of a group is determined by those of its rows that happen to be near the fit. */
export const rejectedGroupNotes: Tell = ({ pilot, uncertainty }, { names }) => {
  const found = withoutCodes(pilot, pilot.residuals.rejectedGroups);
  if (found.length === 0) return null;
  const groups = found.map(
    ({ column, rows, share }) => `${digits(100 * share)} % of the ${rows} pilot rows of ${quoted(column, names)}`,
  );
  const unreliable =
    found.length === 1
      ? `its coefficient${uncertainty === null ? ' is' : ' and interval are'} unreliable`
      : `their coefficients${uncertainty === null ? '' : ' and intervals'} are unreliable`;
  return `the loss rejects ${listing(groups)}, which have more noise or follow another model: ${unreliable}. ${tunedLoss('pseudo-huber', HUBER_TUNING * pilot.residuals.scale)} includes them; or fit them separately`;
};

/** Noise that grows with a feature cannot be told from outliers there. */
export const rejectedExtremeNotes: Tell = ({ pilot, isLossOpen, uncertainty }, { names }) => {
  const found = withoutCodes(pilot, pilot.residuals.rejectedExtremes).filter(({ share }) => share < NEARLY_ALL);
  if (found.length === 0) return null;
  const shares = found.map(({ share }) => 100 * share);
  const [least, most] = [digits(Math.min(...shares)), digits(Math.max(...shares))];
  const harm = uncertainty === null ? 'are imprecise' : 'are imprecise and intervals too narrow';
  const loss = isLossOpen
    ? tunedLoss('pseudo-huber', HUBER_TUNING * pilot.residuals.scale)
    : 'a loss with a larger parameter';
  const logarithm = pilot.targets.arePositive ? ', or fit the logarithm of the target' : '';
  return `the loss rejects ${least === most ? least : `${least} to ${most}`} % of the pilot rows with extreme ${listing(found.map(({ column }) => quoted(column, names)))}. Unless they are outliers, noise grows with the feature, and coefficients ${harm}: use ${loss}${logarithm}`;
};

/** Rows with a code for a missing value should be rejected. */
const withoutCodes = ({ columns }: PilotedRun['pilot'], groups: readonly RejectedGroup[]): readonly RejectedGroup[] =>
  groups.filter(({ column }) => !columns.missingCodes.some(code => code.column === column));

/** However large the noise, some rows are near the fit by chance: where hardly one is, they are outliers. */
const NEARLY_ALL = 0.9;
