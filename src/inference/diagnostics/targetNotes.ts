/** Notes on targets and on the distribution of residuals. */

import { HUBER_TUNING, TUKEY_TUNING } from '../../method/loss/lossByName.ts';
import { counted } from '../../words.ts';
import type { FittedRun } from '../fittedRun.ts';
import type { Pilot } from '../pilot/pilot.ts';
import { counterfactuals } from './counterfactuals.ts';
import type { ExplainOptions } from './explanation.ts';
import { type Note, severe } from './note.ts';
import { digits, percent, quoted, quotedCoefficient, rowsIn, tunedLoss } from './noteWords.ts';
import type { TargetDiagnostics } from './targetDiagnostics.ts';

export function separationNotes({ pilot, loss }: FittedRun): readonly Note[] {
  if (pilot === null) return [];
  const { constant } = pilot.targets;
  if (!pilot.estimate.isSeparated) return constant === null ? [] : [constantTarget(pilot)];
  if (loss.name === 'poisson')
    return [
      severe(
        'every target of the pilot rows is 0: there is no finite estimate, and the coefficients are where the search stopped; add `penalty`',
      ),
    ];
  return [
    severe(
      loss.name === 'logistic' && constant !== null
        ? `the target is ${constant} in every pilot row: there is no finite estimate, and the coefficients are meaningless; add rows of the other class, or \`penalty\``
        : 'the classes of the pilot rows are perfectly separated: there is no finite estimate, and the coefficients give a direction only; add `penalty`',
    ),
  ];
}

const constantTarget = ({ targets, rows: { positiveWeight } }: Pilot): string =>
  `the target is ${targets.constant} in ${positiveWeight === 1 ? 'the one pilot row' : `all ${positiveWeight} pilot rows`}: slopes are 0, and the noise is unknown; check the target column`;

export function narrowNotes({ pilot, loss }: FittedRun): readonly string[] {
  if (!pilot?.estimate.isLossTooNarrow) return [];
  const { scale } = pilot.residuals;
  return [
    `the parameter of ${loss.name}, ${digits(loss.parameter!)}, is ${digits(scale / loss.parameter!)} times smaller than the residuals' scale: too few rows determine the curvature, and the estimate is imprecise; ${tunedLoss(loss.name, (loss.name === 'pseudo-huber' ? HUBER_TUNING : TUKEY_TUNING) * scale)} suits these rows`,
  ];
}

/** Where a fit can match every target, residuals do not show the noise. */
export function saturationNotes({ pilot, fit }: FittedRun): readonly Note[] {
  const coefficients = fit.theta.length;
  return pilot !== null && pilot.rows.positiveWeight <= coefficients
    ? [
        severe(
          `${counted(coefficients, 'coefficient')} for ${rowsIn(pilot.rows.positiveWeight)}: the fit matches every target, whatever the noise; use fewer features or more rows, or add \`penalty\``,
        ),
      ]
    : [];
}

/** A fit overfits few events. */
export function eventNotes({ pilot, loss, fit }: FittedRun): readonly string[] {
  if (pilot === null || pilot.targets.fewEvents === null) return [];
  const { fewEvents: effective, rarerClass } = pilot.targets;
  const rows = rowsIn(pilot.rows.positiveWeight);
  const size = fit.theta.length;
  const are = rarerClass === 1 ? 'is' : 'are';
  const events =
    rarerClass === null
      ? `there ${effective === 1 ? 'is' : 'are'} only about ${effective} effective ${effective === 1 ? 'event' : 'events'} for ${size} coefficients`
      : effective < MOSTLY_UNCERTAIN * rarerClass
        ? `${rarerClass} of ${rows} ${are} of the rarer class, but most are predicted well and only about ${effective} are effective, for ${size} coefficients`
        : `only ${rarerClass} of ${rows} ${are} of the rarer class, for ${size} coefficients`;
  return [
    `${events}: coefficients are rough, and intervals rely on the ${loss.name} model; use more rows or fewer features`,
  ];
}

/** Share of the rarer class: where features predict little, the effective number is about that of its rows. */
const MOSTLY_UNCERTAIN = 0.7;

/** Nothing bounds the influence of a row on a fit of counts. */
export function extremeCountNotes(found: FittedRun, { names }: ExplainOptions): readonly string[] {
  const { pilot, fit, plan } = found;
  const without = pilot && counterfactuals(found, pilot).extremeCounts;
  if (!without) return [];
  const { rows, share, largest } = pilot.targets.extremeCounts!;
  const [have, them, are] =
    rows === 1 ? ['has', 'it', 'it is an error'] : ['have', 'them', 'they are errors'];
  return [
    `${rows} of ${rowsIn(pilot.rows.positiveWeight)} in the pilot ${have} an extreme count (up to ${largest}), ${percent(share)} of the total: without ${them} ${quotedCoefficient(without.column, names, plan)} would be ${digits(without.value)} instead of ${digits(fit.theta[without.column]!)}; fix or remove ${them} if ${are}`,
  ];
}

export function twoValueNotes({ pilot }: FittedRun): readonly string[] {
  const [least, most] = pilot?.targets.twoValues ?? [0, 1];
  return least === 0 && most === 1
    ? []
    : [
        `the target has two values, ${least} and ${most}: recode them as 0 and 1 for a logistic fit of probabilities`,
      ];
}

/** Codes have no distances, and their order is arbitrary. */
export function classCodeNotes({ pilot }: FittedRun): readonly string[] {
  if (pilot === null || pilot.targets.classCodes === null) return [];
  const { first, count } = pilot.targets.classCodes;
  const values = Array.from({ length: count }, (_, k) => first + k);
  const last = values.pop()!;
  return [
    `the target has ${count} values, ${values.join(', ')} and ${last}, about equally often: if they are class codes, a linear fit is meaningless; fit one 0/1 target per class instead`,
  ];
}

/** Without the bound, targets would follow the line beyond it. */
export function censoringNotes({ pilot }: FittedRun): readonly string[] {
  const found = pilot?.targets.censoringBounds ?? [];
  if (found.length === 0) return [];
  const bounds = found.map(
    ({ at, value, share }, k) =>
      `${percent(share)} ${k === 0 ? 'of the pilot targets ' : ''}are ${value}, the ${at}`,
  );
  const code = found.length === 1 ? `${found[0]!.value} means` : 'these mean';
  return [
    `${bounds.join(', and ')}: if targets were cut off there, slopes are biased, and no interval shows it; model the bound separately, or remove these rows if ${code} "missing"`,
  ];
}

/**
 * The intercept of a robust fit is that of the mean only where noise is symmetric. Its slopes are also where noise has
 * the same distribution in all rows.
 */
export function meanNotes(found: FittedRun, { names }: ExplainOptions): readonly string[] {
  const { pilot, fit } = found;
  if (pilot === null) return [];
  const { skew, uncodedOutlierShare, outlierShare } = pilot.residuals;
  const { leastSquares } = counterfactuals(found, pilot);
  if (skew === 0 && leastSquares === null) return [];
  const slope =
    leastSquares &&
    `by least squares${outlierShare > 0 ? ', without residuals beyond 6 scales,' : ''} ${quoted(leastSquares.column, names)} would be ${digits(leastSquares.value)} instead of ${digits(fit.theta[leastSquares.column]!)}`;
  const genuine = uncodedOutlierShare > 0 ? ' if large residuals are genuine' : '';
  const first = pilot.columns.missingCodes.length > 0 ? 'remove rows with codes, then ' : '';
  const advice = `${first}use \`loss: 'squared'\` for means${genuine}${alternative(pilot.targets, skew)}`;
  if (skew === 0) return [`the mean of the target has other slopes than typical rows: ${slope}; ${advice}`];
  const [direction, amount] = skew > 0 ? ['upward', 'low'] : ['downward', 'high'];
  return [
    `errors are skewed ${direction}: the fit describes typical rows, and averages of predictions will be too ${amount}${slope === null ? '' : `; ${slope}`}; ${advice}`,
  ];
}

/** Another fit that suits the targets. */
function alternative({ areCounts, arePositive }: TargetDiagnostics, skew: number): string {
  if (areCounts) return ", or `loss: 'poisson'` for counts";
  return skew > 0 && arePositive ? ', or fit the logarithm of the target' : '';
}

/** Whether the fit matches almost all rows up to rounding. */
export const isExact = ({ pilot }: FittedRun): boolean =>
  pilot !== null && pilot.residuals.exactShare >= NEARLY_ALL;

const NEARLY_ALL = 0.99;

/** Rows without noise do not show how large it is. */
export function exactNotes(found: FittedRun): readonly string[] {
  const { pilot, uncertainty, fit } = found;
  // A fit with no more rows than coefficients has a note of its own.
  if (pilot === null || pilot.rows.positiveWeight <= fit.theta.length) return [];
  if (!isExact(found) && !hasSureSlopes(found)) return [];
  const intervals = uncertainty === null ? '' : ', and intervals reflect rounding only';
  return [
    `the fit matches ${pilot.residuals.exactShare === 1 ? 'all' : 'most'} rows up to rounding: the target is computed from the features${intervals}. To explain it by other features, remove those it is computed from`,
  ];
}

/** Whether slopes are known up to rounding, as where outliers are beside many exact rows. */
function hasSureSlopes({ uncertainty, fit, plan }: FittedRun): boolean {
  if (uncertainty === null || plan.loss.targets.least > -Infinity) return false;
  // Slopes only: with targets far from 0 the intercept always looks precise. A slope of 0 is rounding error.
  const slopes = uncertainty.errors.subarray(0, plan.features);
  const isSure = (error: number, j: number): boolean =>
    fit.theta[j] !== 0 && error <= ROUNDING * Math.abs(fit.theta[j]!);
  const isNone = (error: number, j: number): boolean => Math.abs(fit.theta[j]!) <= 1e4 * error;
  return slopes.every((error, j) => isSure(error, j) || isNone(error, j)) && slopes.some(isSure);
}

const ROUNDING = 1e-12;
