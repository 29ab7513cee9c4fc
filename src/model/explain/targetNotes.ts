/** Notes on targets and on how they scatter around the fit. */

import type { Estimate } from '../../flow/estimate.ts';
import { HUBER_TUNING, TUKEY_TUNING } from '../../loss/tunings.ts';
import { counted } from '../../math/counted.ts';
import type { Pilot } from '../../pilot/pilot.ts';
import type { TargetDiagnostics } from '../../pilot/targetDiagnostics.ts';
import { INTERCEPT } from '../../sample/intercept.ts';
import type { ExplainOptions } from './explanation.ts';
import { type Note, severe } from './note.ts';
import { digits, nameOf, rowsIn, tunedLoss } from './words.ts';

export function separationNotes({ pilot, loss }: Estimate): readonly Note[] {
  if (pilot === null) return [];
  const { constant } = pilot.targets;
  if (!pilot.estimate.isSeparated) return constant === null ? [] : [constantTarget(pilot)];
  if (loss.name === 'poisson')
    return [
      severe(
        'every target of the pilot rows is 0: there is no finite estimate, and these coefficients are where the search stopped; add `penalty`',
      ),
    ];
  return [
    severe(
      loss.name === 'logistic' && constant !== null
        ? `the target is ${constant} in every pilot row: there is no finite estimate, and these coefficients say no more than that; have rows of the other class, or add \`penalty\``
        : 'the classes of the pilot rows are told apart without error: there is no finite estimate, and these coefficients say no more than a direction; add `penalty`',
    ),
  ];
}

const constantTarget = ({ targets, rows: { positiveWeight } }: Pilot): string =>
  `the target is ${targets.constant} in ${positiveWeight === 1 ? 'the one pilot row' : `all ${positiveWeight} pilot rows`}, so that slopes are 0, and nothing tells of noise`;

export function narrowNotes({ pilot, loss }: Estimate): readonly string[] {
  if (!pilot?.estimate.isLossTooNarrow) return [];
  const { scale } = pilot.residuals;
  return [
    `the parameter of ${loss.name}, ${digits(loss.parameter!)}, is ${digits(scale / loss.parameter!)} times smaller than the residuals' scale: hardly a row tells how the loss curves, and the estimate is rough; ${tunedLoss(loss.name, (loss.name === 'pseudo-huber' ? HUBER_TUNING : TUKEY_TUNING) * scale)} suits these rows`,
  ];
}

/** Where a fit can follow every target, residuals say nothing of the noise. */
export function saturationNotes({ pilot, fit }: Estimate): readonly Note[] {
  const coefficients = fit.theta.length;
  return pilot !== null && pilot.rows.positiveWeight <= coefficients
    ? [
        severe(
          `${counted(coefficients, 'coefficient')} for ${rowsIn(pilot.rows.positiveWeight)}: the fit goes through every target, whatever its noise; use fewer features or more rows, or add \`penalty\``,
        ),
      ]
    : [];
}

/** Each of few events has drawn the fit towards itself. */
export function eventNotes({ pilot, loss, fit }: Estimate): readonly string[] {
  if (pilot === null || pilot.targets.fewEvents === null) return [];
  const { fewEvents: worth, rarerClass } = pilot.targets;
  const rows = rowsIn(pilot.rows.positiveWeight);
  const size = fit.theta.length;
  const events =
    rarerClass === null
      ? `only about ${worth} ${worth === 1 ? 'event tells' : 'events tell'} of ${size} coefficients`
      : worth < MOSTLY_IN_DOUBT * rarerClass
        ? `${rarerClass} of ${rows} are of the rarer class, but since the features tell most classes, these are worth about ${worth} for ${size} coefficients`
        : `only ${rarerClass} of ${rows} ${rarerClass === 1 ? 'is' : 'are'} of the rarer class, for ${size} coefficients`;
  return [
    `${events}: coefficients are rough, and their intervals suppose that the ${loss.name} model holds; have more rows, or fewer features`,
  ];
}

/** Of the rarer class: where features tell little, its rows are about as many as there are in doubt. */
const MOSTLY_IN_DOUBT = 0.7;

/** Nothing bounds what a row does to a fit of counts. */
export function extremeCountNotes(
  { pilot, fit, plan }: Estimate,
  { names }: ExplainOptions,
): readonly string[] {
  if (pilot === null || pilot.targets.extremeCounts === null) return [];
  const { rows, share, largest, without, most } = pilot.targets.extremeCounts;
  const [have, them] = rows === 1 ? ['has', 'it'] : ['have', 'them'];
  const name = plan.intercept && most === plan.features ? INTERCEPT : nameOf(most, names);
  return [
    `${rows} of ${rowsIn(pilot.rows.positiveWeight)} in the pilot ${have} a count far beyond all others, up to ${largest}, and ${digits(100 * share)} % of the sum of counts: without ${them} ${JSON.stringify(name)} would have about ${digits(without[most]!)} instead of ${digits(fit.theta[most]!)}, and no interval tells; look at ${them}, and mend ${them} or leave ${them} out if ${rows === 1 ? 'it does' : 'they do'} not belong`,
  ];
}

export function twoValueNotes({ pilot }: Estimate): readonly string[] {
  const [least, most] = pilot?.targets.twoValues ?? [0, 1];
  return least === 0 && most === 1
    ? []
    : [
        `the target has two values, ${least} and ${most}: with 0 and 1 in their place a logistic fit would tell chances`,
      ];
}

/** Codes have no distances, and an order by chance. */
export function classCodeNotes({ pilot }: Estimate): readonly string[] {
  if (pilot === null || pilot.targets.classCodes === null) return [];
  const { first, count } = pilot.targets.classCodes;
  const values = Array.from({ length: count }, (_, k) => first + k);
  const last = values.pop()!;
  return [
    `the target has ${count} values, ${values.join(', ')} and ${last}, about equally often: if they are codes of classes, a line through them means nothing; fit whether a row is of a class, 1 for yes and 0 for no, for each class by itself`,
  ];
}

/** Rows beyond a bound would have had other targets, and a line goes on where they stop. */
export function censoringNotes({ pilot }: Estimate): readonly string[] {
  return (pilot?.targets.censoringBounds ?? []).map(
    ({ at, value, share }) =>
      `${digits(100 * share)} % of the pilot rows have ${value} as their target, the ${at} of all, far more than have values next to it: if targets were cut off there, a line does not bend with them, slopes are too flat, and no interval tells by how much; fit whether a target is ${value} apart from what the others are, or leave these rows out if ${value} stands for what is missing`,
  );
}

/**
 * A robust fit's intercept is the mean's only where noise is symmetric; its slopes are also where noise has the same
 * law for all rows.
 */
export function meanNotes(found: Estimate, { names }: ExplainOptions): readonly string[] {
  const { pilot, isLossOpen, uncertainty } = found;
  if (pilot === null) return [];
  const apart = leastSquaresSlope(found, names);
  if (pilot.residuals.skew === 0 && apart === null) return [];
  const cost =
    pilot.residuals.uncodedOutlierShare > 0 ? ', which counts rows far off in full, wrong ones too' : '';
  const gone = pilot.columns.missingCodes.length > 0 ? 'once rows with codes are left out, ' : '';
  const advice = `${gone}use \`loss: 'squared'\` for means${cost}${insteadOf(pilot.targets, pilot.residuals.skew)}`;
  if (pilot.residuals.skew === 0)
    return [
      `the fit follows the bulk of the rows, and their mean goes another way: ${apart}, as where some rows respond and most do not, or noise depends on the features; ${advice}`,
    ];
  const [far, near, amount] =
    pilot.residuals.skew > 0 ? ['above', 'below', 'small'] : ['below', 'above', 'large'];
  const slopes = apart === null ? 'slopes too where noise depends on the features' : `slopes too (${apart})`;
  const intervals =
    isLossOpen && uncertainty !== null ? ', and intervals leave out what the choice of the loss adds' : '';
  return [
    `targets scatter further ${far} the fit than ${near} it: it follows the bulk of the rows and not their mean, so that the intercept is off that of the mean, and ${slopes}, and predicted means and sums are too ${amount}${intervals}; ${advice}`,
  ];
}

/** Of other fits that suit the targets. */
function insteadOf({ areCounts, arePositive }: TargetDiagnostics, skew: number): string {
  if (areCounts) return ", or `loss: 'poisson'` if the target counts something";
  return skew > 0 && arePositive ? ', or fit the logarithm of the target' : '';
}

/**
 * Where the interval would not hold it. Whoever tries `loss: 'squared'` finds another number where rows are far off, for
 * these count there.
 */
export function leastSquaresSlope(
  { pilot, fit, uncertainty }: Estimate,
  names: ExplainOptions['names'],
): string | null {
  const ofMean = pilot!.residuals.leastSquaresContrast;
  if (ofMean === null) return null;
  const { theta, most } = ofMean;
  const [robust, mean] = [fit.theta[most]!, theta[most]!];
  if (uncertainty !== null && Math.abs(mean - robust) <= 2 * uncertainty.errors[most]!) return null;
  const aside = pilot!.residuals.outlierShare > 0 ? ', rows far off left aside,' : '';
  return `of ${JSON.stringify(nameOf(most, names))}, least squares${aside} would make about ${digits(mean)} instead of ${digits(robust)}`;
}

/** Where the fit goes through all rows, or all but a few, and residuals are what rounding leaves. */
export const isExact = ({ pilot }: Estimate): boolean =>
  pilot !== null && pilot.residuals.exactShare >= NEARLY_ALL;

const NEARLY_ALL = 0.99;

/** Rows without noise tell nothing of noise. */
export function exactNotes(found: Estimate): readonly string[] {
  const { pilot, uncertainty, fit } = found;
  // A fit through as many rows as coefficients is told of apart.
  if (pilot === null || pilot.rows.positiveWeight <= fit.theta.length) return [];
  if (!isExact(found) && !hasSureSlopes(found)) return [];
  const intervals = uncertainty === null ? '' : ', and intervals tell of no more than that';
  return [
    `the fit goes through ${pilot.residuals.exactShare === 1 ? 'all' : 'most'} of the rows, but for rounding: the target is made of the features, so that nothing tells of noise${intervals}; if others are to explain it, leave out those that it is made of`,
  ];
}

/** Whether slopes are known but for rounding, as where rows that do not belong are beside many exact ones. */
function hasSureSlopes({ uncertainty, fit, plan }: Estimate): boolean {
  if (uncertainty === null || plan.loss.targets.least > -Infinity) return false;
  // Of slopes alone: beside a target far from 0 the intercept looks sure. A slope of 0 is what rounding makes of it.
  const slopes = uncertainty.errors.subarray(0, plan.features);
  const isSure = (error: number, j: number): boolean =>
    fit.theta[j] !== 0 && error <= ROUNDING * Math.abs(fit.theta[j]!);
  const isNone = (error: number, j: number): boolean => Math.abs(fit.theta[j]!) <= 1e4 * error;
  return slopes.every((error, j) => isSure(error, j) || isNone(error, j)) && slopes.some(isSure);
}

const ROUNDING = 1e-12;
