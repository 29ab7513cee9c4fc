import type { Loss } from '../../../method/loss/loss.ts';
import { HUBER_TUNING, type NamedLoss, TUKEY_TUNING } from '../../../method/loss/lossByName.ts';
import type { PilotedRun } from '../../fittedRun.ts';
import type { FittedStudy } from '../../pilot/fittedStudy.ts';
import type { MissingCode } from '../columns/missingCodes.ts';
import { digits, percent, type Tell, tunedLoss } from '../notes.ts';
import { rejectedExtremeNotes, rejectedGroupNotes } from './rejectedGroups.ts';

/** One normal residual in five hundred million is beyond that many scales. */
export const OUTLIER_SCALES = 6;

/** Whether a loss gives distant rows almost no weight, or none. */
export const isRedescending = ({ name }: NamedLoss): boolean => name === 'tukey' || name === 'geman-mcclure';

/**
 * Rows that a redescending loss rejects.
 *
 *   omega_i = psi(r_i)/r_i, the weight of row i in the fit: 1 at residual 0, 0 far from the fit
 *
 * Losses are tuned to reject rows from 3.4 residual scales on. Fewer than one normal residual in a thousand is beyond
 * that, and one in forty of Student's t with 3 degrees of freedom.
 *
 * Rows with a code for a missing value are reported separately. Null where the others are too few to report.
 */
export function rejectedRows(fitted: FittedStudy, residuals: Float64Array, codes: readonly MissingCode[]) {
  const { study, rows, estimate } = fitted;
  const { residualScale: scale } = estimate;
  const beyond = reachOf(estimate.loss.loss, scale);
  const isCoded = (row: number): boolean => codes.some(({ column, value }) => rows.columns[column]![row] === value);
  let [found, sum, total] = [0, 0, 0];
  residuals.forEach((residual, i) => {
    const weight = study.weights[i]!;
    total += weight;
    if (!(Math.abs(residual) > beyond) || isCoded(i)) return;
    found++;
    sum += weight;
  });
  const share = sum / total;
  if (found < SOME_ROWS || share < LEAST_SHARE) return null;
  return {
    /** By weight. */
    share,
    /** In residual scales. */
    beyond: beyond / scale,
  };
}

const LEAST_SHARE = 0.01;

/**
 * With normal noise, chance makes two among a few dozen rows in one sample of thirty, and three in one of a hundred.
 */
const SOME_ROWS = 3;

/** The residual beyond which omega is less than REJECTED of its value at the fit. */
function reachOf(loss: Loss, scale: number): number {
  const omega = (r: number): number => loss.slope(r, 0) / r;
  const least = REJECTED * omega(1e-6 * scale);
  let [near, far] = [1e-6 * scale, scale];
  while (omega(far) >= least) [near, far] = [far, 2 * far];
  for (let halving = 0; halving < 50; halving++) {
    const middle = (near + far) / 2;
    if (omega(middle) >= least) near = middle;
    else far = middle;
  }
  return far;
}

const REJECTED = 0.05;

/** In standard errors of the fit. */
export const LEAST_SHIFT = 2;

/** From this share on, rows that pull a least-squares fit have residuals beyond 6 scales and are reported as such. */
export const LEAST_FAR = 0.002;

export const outlierNotes: Tell = (found, options) => {
  const { pilot, loss, isLossOpen } = found;
  if (pilot.estimate.isLossTooNarrow) return null;
  const { uncodedOutlierShare: share, rejectedRows, scale } = pilot.residuals;
  if (rejectedRows !== null) return rejectedNotes(found, options);
  const large = largeResiduals(pilot, share, OUTLIER_SCALES);
  switch (loss.name) {
    case 'pseudo-huber':
      return share < HEAVY_TAIL ? null : `${large}; their influence is bounded`;
    case 'squared': {
      if (share < LEAST_FAR) return null;
      const advice = isLossOpen
        ? `${tunedLoss('pseudo-huber', HUBER_TUNING * scale)} bounds their influence, but does not estimate means`
        : "`loss: 'auto'` bounds their influence or rejects them, but does not estimate means";
      return `${large} and pull the estimate, even with a median of means; ${advice}`;
    }
    default:
      if (share < LEAST_FAR) return null;
      return isLossOpen ? `${large} and are rejected` : `${large}; check whether they are outliers`;
  }
};

const largeResiduals = ({ residuals }: PilotedRun['pilot'], share: number, beyond: number): string => {
  const besides = residuals.uncodedOutlierShare < residuals.outlierShare ? ', besides those with codes,' : '';
  return `${percent(share)} of the pilot rows${besides} have residuals beyond ${digits(beyond)} scales`;
};

/** Heavy tails are harmless where influence is bounded, and worth a note only where they have many rows. */
const HEAVY_TAIL = 0.01;

const rejectedNotes: Tell = (found, options) => {
  const { isLossOpen, pilot } = found;
  const { uncodedOutlierShare, rejectedRows } = pilot.residuals;
  const { share, beyond } = rejectedRows!;
  // Where the rejected rows have extreme features or rare levels, another note reports them.
  const isReported = [rejectedGroupNotes, rejectedExtremeNotes].some(tell => tell(found, options) !== null);
  if (isReported && uncodedOutlierShare < LEAST_FAR) return null;
  const group =
    isLossOpen && share >= A_GROUP ? '; they may follow a different model: look for a column that identifies them' : '';
  return `${largeResiduals(pilot, share, uncodedOutlierShare >= share ? OUTLIER_SCALES : beyond)} and are rejected${group}`;
};

const A_GROUP = 0.1;

export const narrowNotes: Tell = ({ pilot, loss }) => {
  if (!pilot.estimate.isLossTooNarrow) return null;
  const { scale } = pilot.residuals;
  return `the parameter of ${loss.name}, ${digits(loss.parameter!)}, is ${digits(scale / loss.parameter!)} times smaller than the residuals' scale: too few rows determine the curvature, and the estimate is imprecise; ${tunedLoss(loss.name, (loss.name === 'pseudo-huber' ? HUBER_TUNING : TUKEY_TUNING) * scale)} suits these rows`;
};
