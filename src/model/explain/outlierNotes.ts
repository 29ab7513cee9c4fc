/** Notes on rows far from the fit or from other rows. */

import type { Estimate } from '../../flow/estimate.ts';
import { HUBER_TUNING } from '../../loss/tunings.ts';
import type { ColumnDiagnostics } from '../../pilot/columnDiagnostics.ts';
import type { Pilot } from '../../pilot/pilot.ts';
import { OUTLIER_SCALES } from '../../pilot/residualDiagnostics.ts';
import type { ExplainOptions } from './explanation.ts';
import { rejectedExtremeNotes, rejectedGroupNotes } from './informationNotes.ts';
import { type Note, severe } from './note.ts';
import { leastSquaresSlope } from './targetNotes.ts';
import { digits, nameOf, tunedLoss } from './words.ts';

export function outlierNotes(found: Estimate, options: ExplainOptions): readonly string[] {
  const { pilot, loss, isLossOpen } = found;
  if (pilot === null) return [];
  const besides =
    pilot.residuals.uncodedOutlierShare < pilot.residuals.outlierShare ? ', besides those with a code,' : '';
  const far = (share: number, beyond: number): string =>
    `${digits(100 * share)} % of the pilot rows${besides} are further than ${digits(beyond)} residual scales from the fit`;
  const isFar = pilot.residuals.uncodedOutlierShare >= LEAST_FAR;
  if (pilot.residuals.rejectedRows !== null) {
    const { share } = pilot.residuals.rejectedRows;
    const beyond =
      pilot.residuals.uncodedOutlierShare >= share ? OUTLIER_SCALES : pilot.residuals.rejectedRows.beyond;
    const moved = movedSlope(found, options);
    // Which rows they are, and why, is told already where they are of a column.
    const isTold =
      rejectedGroupNotes(found, options).length + rejectedExtremeNotes(found, options).length > 0;
    if ((isTold && !isFar && moved === null) || pilot.estimate.isLossTooNarrow) return [];
    const group =
      !isLossOpen || share < A_GROUP
        ? ''
        : ': so many may follow a law of their own; look at them, and if they do, add a column that tells them from the others';
    return [`${far(share, beyond)}, and hardly count in it${group}${moved ?? unmoved(found, options)}`];
  }
  if (!isFar) return [];
  const share = far(pilot.residuals.uncodedOutlierShare, OUTLIER_SCALES);
  if (isLossOpen && loss.name === 'pseudo-huber')
    return [
      `${share}, and each of these counts ${pilot.leverage.rowWeights === null ? '' : 'at most '}as much as one at ${digits(loss.parameter!)}: noise differs between rows, or the fit misses a bend or a product of features, which a column with a square or product would tell`,
    ];
  if (isLossOpen && loss.name !== 'squared') return [`${share}, and hardly count in it`];
  return loss.name === 'squared'
    ? [
        `${share}: under the squared loss they pull the estimate, and where they are in every block, as these are, no median of means undoes it; ${isLossOpen ? `${tunedLoss('pseudo-huber', HUBER_TUNING * pilot.residuals.scale)} would bound what they do, and be no fit of means any more` : "`loss: 'auto'` leaves them out, but follows the bulk of the rows then and not their mean, which is better only if they do not belong"}`,
      ]
    : [`${share}`];
}

/** The slope that differs most if rows that are left out count; null where none does by much, or it is told apart. */
function movedSlope(found: Estimate, { names }: ExplainOptions): string | null {
  const { pilot, fit, uncertainty } = found;
  const { huber, most } = pilot!.residuals.rejectedRows!;
  // The mean of the targets counts them too. Where a line goes through most rows, residuals have no scale to count by.
  if (huber === null || pilot!.residuals.exactShare > 0.5 || leastSquaresSlope(found, names) !== null)
    return null;
  const apart = Math.abs(huber[most]! - fit.theta[most]!);
  if (uncertainty !== null && apart <= 2 * uncertainty.errors[most]!) return null;
  return `; by ${tunedLoss('pseudo-huber', HUBER_TUNING * pilot!.residuals.scale)}, which counts them, ${JSON.stringify(nameOf(most, names))} would have about ${digits(huber[most]!)} instead of ${digits(fit.theta[most]!)}`;
}

/** Heavy tails have rows far off by their nature, and nobody need look at them. */
const unmoved = (found: Estimate, { names }: ExplainOptions): string =>
  found.pilot!.residuals.rejectedRows!.huber === null &&
  found.pilot!.columns.missingCodes.length === 0 &&
  leastSquaresSlope(found, names) === null
    ? '; slopes would be about the same if each counted as much as a row near by'
    : '';

const LEAST_FAR = 0.002;

const A_GROUP = 0.1;

/** Under the squared loss, rows that pull are far from the fit as a rule, and are told of already. */
export function highLeverageNotes(
  { pilot, loss, isLossOpen, fit }: Estimate,
  { names }: ExplainOptions,
): readonly string[] {
  if (
    pilot === null ||
    pilot.leverage.highLeverage === null ||
    pilot.leverage.highLeverage.estimates === null
  )
    return [];
  if (loss.name === 'squared' && pilot.residuals.outlierShare >= LEAST_FAR) return [];
  // Rows with a code lie far out by it, and are told of as what they are.
  if (pilot.columns.missingCodes.length > 0) return [];
  const { share, beyond, estimates, most } = pilot.leverage.highLeverage;
  const far = `${digits(100 * share)} % of the pilot rows lie far out in their features, further than ${digits(beyond)} scales`;
  const name = JSON.stringify(nameOf(most, names));
  const now = digits(fit.theta[most]!);
  if (pilot.leverage.rowWeights !== null)
    return [
      `${far}, and do not follow the others, so that they count less: if they counted as much, ${name} would have about ${digits(estimates.all[most]!)} instead of ${now}; if they belong, take the logarithm of what is far out, or ${tunedLoss(loss.name, loss.parameter!)}, which counts them`,
    ];
  const advice =
    loss.loss.targets.least === -Infinity && !isLossOpen
      ? "`loss: 'auto'` leaves such rows out"
      : 'look at them, and mend or leave out those that do not belong';
  return [
    `${far}, and the ${loss.name} loss counts them fully: without them ${name} would have about ${digits(estimates.without[most]!)} instead of ${now}; ${advice}`,
  ];
}

/** Rows that a slope rests on are worth a look, though they follow the others as far as these tell. */
export function leverageRelianceNotes(
  { pilot, fit }: Estimate,
  { names }: ExplainOptions,
): readonly string[] {
  if (
    pilot === null ||
    pilot.leverage.reliance === null ||
    isExplained(pilot.columns) ||
    isConcentrated(pilot)
  )
    return [];
  const { column, downWeighted } = pilot.leverage.reliance;
  return [
    `of ${JSON.stringify(nameOf(column, names))}, rows far out in their features tell most, and follow the others as far as these tell: if they counted less, it would have about ${digits(downWeighted[column]!)} instead of ${digits(fit.theta[column]!)}, with twice the error or more; look at them, for if they do not belong, no interval tells`,
  ];
}

/** A level that few rows have is told of apart, and so is a code. */
const isExplained = ({ rare, missingCodes }: ColumnDiagnostics): boolean =>
  rare.length > 0 || missingCodes.length > 0;

const isConcentrated = ({ leverage, rows }: Pilot): boolean =>
  leverage.concentration >= Math.max(FEW_DECIDE, OF_FEW / Math.sqrt(rows.positiveWeight));

export function concentrationNotes({ pilot, loss, uncertainty }: Estimate): readonly string[] {
  if (pilot === null || isExplained(pilot.columns) || !isConcentrated(pilot)) return [];
  const advice = 'take logarithms or ranks of such features, or bound them';
  if (pilot.leverage.rowWeights !== null)
    return [
      `a few rows lie so far out in their features that they would decide the estimate, and count the less for it: if they belong, the error may be several times that of \`loss: 'squared'\`, which counts them fully; ${advice}`,
    ];
  const harm = [
    ...(uncertainty === null
      ? []
      : [`intervals are too narrow${uncertainty.from === 'blocks' ? '' : ' if noise grows with them'}`]),
    ...(loss.name === 'squared'
      ? []
      : ["where noise is light, the error may be several times that of `loss: 'squared'`"]),
  ];
  return [
    `a few rows lie so far out in their features that they decide the estimate${harm.length > 0 ? `: ${harm.join(', and ')}` : ''}; ${advice}`,
  ];
}

/** Eleven rows that share all leverage have this much; log-normal features come near it only where rows are few. */
const FEW_DECIDE = 0.3;

/** n rows alike have 1/sqrt n, and of one normal feature sqrt 3 times that. */
const OF_FEW = 2;

export function weightNotes({ pilot }: Estimate): readonly Note[] {
  if (pilot === null) return [];
  const { largestWeightShare: share, positiveWeight } = pilot.rows;
  if (share < Math.max(HEAVY, 20 / positiveWeight)) return [];
  const found = `one row has ${digits(100 * share)} % of the weight of all ${positiveWeight} pilot rows`;
  const advice = 'look at the column of weights';
  return [
    share >= MOST_OF_ALL
      ? severe(
          `${found}: the estimate is mostly its own, and no interval tells how far off that is; ${advice}`,
        )
      : `${found}: it counts as ${digits(share * positiveWeight)} of them on average do, and no interval tells how far off the estimate is if this row does not belong; ${advice}`,
  ];
}

const MOST_OF_ALL = 0.5;
const HEAVY = 0.1;
