/** Notes on rows with large residuals, high leverage or large weights. */

import { HUBER_TUNING } from '../../method/loss/lossByName.ts';
import type { FittedRun } from '../fittedRun.ts';
import type { Pilot } from '../pilot/pilot.ts';
import type { ColumnDiagnostics } from './columnDiagnostics.ts';
import { counterfactuals, LEAST_FAR } from './counterfactuals.ts';
import type { ExplainOptions } from './explanation.ts';
import { rejectedExtremeNotes, rejectedGroupNotes } from './informationNotes.ts';
import { type Note, severe } from './note.ts';
import { digits, percent, quoted, tunedLoss } from './noteWords.ts';
import { OUTLIER_SCALES } from './residualDiagnostics.ts';

export function outlierNotes(found: FittedRun, options: ExplainOptions): readonly string[] {
  const { pilot, loss, isLossOpen } = found;
  if (pilot === null || pilot.estimate.isLossTooNarrow) return [];
  const { uncodedOutlierShare: share, rejectedRows, scale } = pilot.residuals;
  if (rejectedRows !== null) return rejectedNotes(found, options);
  const large = largeResiduals(pilot, share, OUTLIER_SCALES);
  switch (loss.name) {
    case 'pseudo-huber':
      return share < HEAVY_TAIL ? [] : [`${large}; their influence is bounded`];
    case 'squared': {
      if (share < LEAST_FAR) return [];
      const advice = isLossOpen
        ? `${tunedLoss('pseudo-huber', HUBER_TUNING * scale)} bounds their influence, but does not estimate means`
        : "`loss: 'auto'` bounds their influence or rejects them, but does not estimate means";
      return [`${large} and pull the estimate, even with a median of means; ${advice}`];
    }
    default:
      if (share < LEAST_FAR) return [];
      return [isLossOpen ? `${large} and are rejected` : `${large}; check whether they are outliers`];
  }
}

const largeResiduals = ({ residuals }: Pilot, share: number, beyond: number): string => {
  const besides = residuals.uncodedOutlierShare < residuals.outlierShare ? ', besides those with codes,' : '';
  return `${percent(share)} of the pilot rows${besides} have residuals beyond ${digits(beyond)} scales`;
};

/** Heavy tails are harmless where influence is bounded, and worth a note only where they have many rows. */
const HEAVY_TAIL = 0.01;

function rejectedNotes(found: FittedRun, options: ExplainOptions): readonly string[] {
  const { isLossOpen, fit } = found;
  const pilot = found.pilot!;
  const { uncodedOutlierShare } = pilot.residuals;
  const { share, beyond } = pilot.residuals.rejectedRows!;
  const { rejectedRows: included } = counterfactuals(found, pilot);
  const isMoved = included?.isMoved === true && included.most !== null;
  // Where the rejected rows have extreme features or rare levels, another note reports them.
  const isReported =
    rejectedGroupNotes(found, options).length + rejectedExtremeNotes(found, options).length > 0;
  if (isReported && uncodedOutlierShare < LEAST_FAR && !isMoved) return [];
  const group =
    isLossOpen && share >= A_GROUP
      ? '; they may follow a different model: look for a column that identifies them'
      : '';
  const rejected = `${largeResiduals(pilot, share, uncodedOutlierShare >= share ? OUTLIER_SCALES : beyond)} and are rejected${group}`;
  if (included === null) return [rejected];
  const { most } = included;
  const name = most === null ? '' : quoted(most.column, options.names);
  const values = most === null ? ['', ''] : [fit.theta[most.column]!, most.value].map(digits);
  if (isMoved)
    return [
      `${rejected}; with ${tunedLoss('pseudo-huber', HUBER_TUNING * pilot.residuals.scale)}, which includes them, ${name} would be ${values[1]} instead of ${values[0]}`,
    ];
  if (included.isMoved) return [rejected];
  const largest = most === null || group !== '' ? '' : ` (${name} most, from ${values[0]} to ${values[1]})`;
  return [`${rejected}; including them would change no slope by more than two standard errors${largest}`];
}

const A_GROUP = 0.1;

/** Rows that disagree with the others under a loss that gives them full weight. */
export function highLeverageNotes(found: FittedRun, { names }: ExplainOptions): readonly string[] {
  const { pilot, loss, isLossOpen, fit } = found;
  const without = pilot && counterfactuals(found, pilot).highLeverage;
  if (!without) return [];
  const { share, beyond } = pilot.leverage.highLeverage!;
  const advice =
    loss.loss.targets.least === -Infinity && !isLossOpen
      ? "check them, or try `loss: 'auto'`, which rejects clear outliers"
      : 'fix or remove those that are errors';
  return [
    `${percent(share)} of the pilot rows have high leverage, beyond ${digits(beyond)} scales, and disagree with the others: without them ${quoted(without.column, names)} would be ${digits(without.value)} instead of ${digits(fit.theta[without.column]!)}; ${advice}`,
  ];
}

/** Rows that determine a slope are worth a look even if they agree with the others. */
export function leverageRelianceNotes(found: FittedRun, { names }: ExplainOptions): readonly string[] {
  const { pilot, fit } = found;
  if (pilot === null || isExplained(pilot.columns) || isConcentrated(pilot)) return [];
  const { reliance } = counterfactuals(found, pilot);
  if (reliance === null) return [];
  return [
    `${quoted(reliance.column, names)} rests mostly on high-leverage rows, which agree with the others. If they were down-weighted, it would be ${digits(reliance.value)} instead of ${digits(fit.theta[reliance.column]!)}, with at least twice the error; check these rows`,
  ];
}

/** Rare levels and codes have notes of their own. */
const isExplained = ({ rare, missingCodes }: ColumnDiagnostics): boolean =>
  rare.length > 0 || missingCodes.length > 0;

const isConcentrated = ({ leverage, rows }: Pilot): boolean =>
  leverage.concentration >= Math.max(FEW_DETERMINE, OF_FEW / Math.sqrt(rows.positiveWeight));

export function concentrationNotes({ pilot, loss, uncertainty }: FittedRun): readonly string[] {
  if (pilot === null || isExplained(pilot.columns) || !isConcentrated(pilot)) return [];
  const advice = 'use logarithms or ranks of the features, or bound them';
  const few = 'a few rows have such extreme features that they';
  const lossy = "the error may be several times that of `loss: 'squared'`";
  if (pilot.leverage.rowWeights !== null)
    return [
      `${few} would determine the estimate, and are down-weighted: if they are genuine, ${lossy}; ${advice}`,
    ];
  const harm = [
    ...(uncertainty === null
      ? []
      : [`intervals are too narrow${uncertainty.from === 'blocks' ? '' : ' if noise grows with them'}`]),
    // A redescending loss may reject a genuine row for a small error in the slope.
    ...(REDESCENDING.includes(loss.name) ? [`if noise is light, ${lossy}`] : []),
  ];
  return [`${few} determine the estimate${harm.length > 0 ? `: ${harm.join(', and ')}` : ''}; ${advice}`];
}

const REDESCENDING: readonly string[] = ['tukey', 'geman-mcclure'];

/** Eleven rows that share all leverage have this much; log-normal features come near it only where rows are few. */
const FEW_DETERMINE = 0.3;

/** n equal rows have 1/sqrt n, and those of one normal feature sqrt 3 times that. */
const OF_FEW = 2;

export function weightNotes({ pilot }: FittedRun): readonly Note[] {
  if (pilot === null) return [];
  const { largestWeightShare: share, positiveWeight } = pilot.rows;
  if (share < Math.max(HEAVY, 20 / positiveWeight)) return [];
  const found = `one row has ${percent(share)} of the weight of all ${positiveWeight} pilot rows`;
  const advice = 'check the column of weights';
  return [
    share >= MOST_OF_ALL
      ? severe(`${found}: it determines most of the estimate, and no interval shows its error; ${advice}`)
      : `${found}, as much as ${digits(share * positiveWeight)} average rows: if it is an outlier, no interval shows the error; ${advice}`,
  ];
}

const MOST_OF_ALL = 0.5;
const HEAVY = 0.1;
