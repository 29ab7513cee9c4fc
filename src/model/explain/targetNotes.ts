/** Notes on targets and on how they scatter around the fit. */

import type { Estimate } from '../../flow/estimate.ts';
import { HUBER_TUNING, TUKEY_TUNING } from '../../loss/tunings.ts';
import type { ExplainOptions } from './explanation.ts';
import { digits, nameOf, rowsIn } from './words.ts';

export function apartNotes({ pilot, loss }: Estimate): readonly string[] {
  if (!pilot?.isApart) return [];
  return [
    loss.name === 'poisson'
      ? 'every target of the pilot rows is 0: there is no finite estimate, and these coefficients are where the search stopped; add --ridge'
      : 'the classes of the pilot rows are told apart without error, or are all the same: there is no finite estimate, and these coefficients say no more than a direction; add --ridge',
  ];
}

export function narrowNotes({ pilot, loss }: Estimate): readonly string[] {
  if (!pilot?.isTooNarrow) return [];
  const { residualScale } = pilot;
  return [
    `the parameter of ${loss.name}, ${digits(loss.parameter!)}, is ${digits(residualScale / loss.parameter!)} times smaller than the residuals' scale: hardly a row tells how the loss curves, and the estimate is rough; --loss ${loss.name}:${digits((loss.name === 'pseudo-huber' ? HUBER_TUNING : TUKEY_TUNING) * residualScale)} suits these rows`,
  ];
}

/** Where a fit can follow every target, residuals say nothing of the noise. */
export function manyNotes({ pilot, fit }: Estimate): readonly string[] {
  const coefficients = fit.theta.length;
  return pilot !== null && pilot.counting <= coefficients
    ? [
        `${coefficients} coefficients for ${rowsIn(pilot.counting)}: the fit goes through every target, whatever its noise; use fewer features or more rows, or add --ridge`,
      ]
    : [];
}

/** Each of few events has drawn the fit towards itself. */
export function eventNotes({ pilot, loss, fit }: Estimate): readonly string[] {
  if (pilot === null || pilot.fewEvents === null) return [];
  const events = `${pilot.fewEvents} ${loss.name === 'logistic' ? 'rows of the rarer class, or in doubt,' : 'events'}`;
  return [
    `only about ${events} tell of ${fit.theta.length} coefficients: these are rough, and their intervals suppose that the ${loss.name} model holds; have more rows, or fewer features`,
  ];
}

export function twoNotes({ pilot }: Estimate): readonly string[] {
  const [least, most] = pilot?.twoTargets ?? [0, 1];
  return least === 0 && most === 1
    ? []
    : [
        `the target has two values, ${least} and ${most}: with 0 and 1 in their place a logistic fit would tell chances`,
      ];
}

/** Rows beyond a bound would have had other targets, and a line goes on where they stop. */
export function cutOffNotes({ pilot }: Estimate): readonly string[] {
  return (pilot?.cutOff ?? []).map(
    ({ at, value, share }) =>
      `${digits(100 * share)} % of the pilot rows have ${value} as their target, the ${at} of all, far more than have values next to it: if targets were cut off there, a line does not bend with them, slopes are too flat, and no interval tells by how much; fit whether a target is ${value} apart from what the others are, or leave these rows out if ${value} stands for what is missing`,
  );
}

/** A robust fit's intercept is the mean's only where noise is symmetric; its slopes are also where noise has the same law for all rows. */
export function meanNotes(found: Estimate, { names }: ExplainOptions): readonly string[] {
  const { pilot, isLossOpen, uncertainty } = found;
  if (pilot === null) return [];
  const apart = slopeApart(found, names);
  if (pilot.skew === 0 && apart === null) return [];
  const instead = pilot.areCounts
    ? ', or --loss poisson if the target counts something'
    : ', or fit the logarithm of the target';
  const advice = `use --loss squared for means${pilot.skew > 0 || pilot.areCounts ? instead : ''}`;
  if (pilot.skew === 0)
    return [
      `the fit follows the bulk of the rows, and their mean goes another way: ${apart}, rows far off left aside, as where some rows respond and most do not, or noise depends on the features; ${advice}`,
    ];
  const [far, near, amount] = pilot.skew > 0 ? ['above', 'below', 'small'] : ['below', 'above', 'large'];
  const slopes = apart === null ? 'slopes too where noise depends on the features' : `slopes too (${apart})`;
  const intervals =
    isLossOpen && uncertainty !== null ? ', and intervals leave out what the choice of the loss adds' : '';
  return [
    `targets scatter further ${far} the fit than ${near} it: it follows the bulk of the rows and not their mean, so that the intercept is off that of the mean, and ${slopes}, and predicted means and sums are too ${amount}${intervals}; ${advice}`,
  ];
}

/** Where the interval would not hold it. */
function slopeApart({ pilot, fit, uncertainty }: Estimate, names: ExplainOptions['names']): string | null {
  const ofMean = pilot!.slopesOfMean;
  if (ofMean === null) return null;
  const { theta, most } = ofMean;
  const [robust, mean] = [fit.theta[most]!, theta[most]!];
  if (uncertainty !== null && Math.abs(mean - robust) <= 2 * uncertainty.errors[most]!) return null;
  return `of ${JSON.stringify(nameOf(most, names))}, least squares would make about ${digits(mean)} instead of ${digits(robust)}`;
}

/** Rows without noise tell nothing of noise. */
export function exactNotes({ uncertainty, fit, pilot, plan }: Estimate): readonly string[] {
  if (uncertainty === null || plan.loss.targets.least > -Infinity) return [];
  // Of slopes alone: beside a target far from 0 the intercept looks sure. A slope of 0 is what rounding makes of it.
  const slopes = uncertainty.errors.subarray(0, plan.features);
  const isSure = (error: number, j: number): boolean =>
    fit.theta[j] !== 0 && error <= ROUNDING * Math.abs(fit.theta[j]!);
  const isNone = (error: number, j: number): boolean => Math.abs(fit.theta[j]!) <= 1e4 * error;
  const isExact = slopes.every((error, j) => isSure(error, j) || isNone(error, j)) && slopes.some(isSure);
  return isExact
    ? [
        `the fit goes through ${pilot!.farShare > 0 ? 'most' : 'all'} of the rows, but for rounding, so that nothing tells of noise: intervals are those of a target that is made of the features`,
      ]
    : [];
}

const ROUNDING = 1e-12;
