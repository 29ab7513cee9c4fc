import type { Vector } from '../../../math/vector.ts';
import type { Loss } from '../../../method/loss/loss.ts';
import { HUBER_TUNING, type NamedLoss, TUKEY_TUNING } from '../../../method/loss/lossByName.ts';
import { pseudoHuber } from '../../../method/loss/pseudoHuber.ts';
import type { PilotedRun } from '../../fittedRun.ts';
import type { FittedStudy } from '../../pilot/fittedStudy.ts';
import { standardErrors } from '../../pilot/risk/curvatureFactor.ts';
import { irls } from '../../pilot/risk/minimize.ts';
import { tellingRows } from '../../pilot/standardized.ts';
import type { MissingCode } from '../columns/missingCodes.ts';
import type { Counterfactual } from '../explainEstimate.ts';
import { digits, percent, quoted, type Tell, tunedLoss } from '../notes.ts';
import { rejectedExtremeNotes, rejectedGroupNotes } from './rejectedGroups.ts';

/** One normal residual in five hundred million is beyond that many scales. */
export const OUTLIER_SCALES = 6;

/** Whether a loss gives distant rows almost no weight, or none. */
export const isRedescending = ({ name }: NamedLoss): boolean => name === 'tukey' || name === 'geman-mcclure';

/**
 * Rows that a redescending loss rejects, and what the slopes would be if they had weight.
 *
 *   omega_i = psi(r_i)/r_i, the weight of row i in the fit: 1 at residual 0, 0 far from the fit
 *
 * Losses are tuned to reject rows from 3.4 residual scales on. Fewer than one normal residual in a thousand is beyond
 * that, and one in forty of Student's t with 3 degrees of freedom: rejecting them is right as long as the slopes are
 * about the same with them. Pseudo-Huber's loss gives each of them the influence of a row at 1.345 scales, whatever its
 * leverage. Where a slope then differs by more than two standard errors, the choice needs knowledge of the rows.
 *
 * Rows with a code for a missing value are reported separately. Null where the others are too few to report.
 */
export function rejectedRows(fitted: FittedStudy, residuals: Float64Array, codes: readonly MissingCode[]) {
  const { study, rows, estimate, standardized } = fitted;
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
  if (found < LEAST_ROWS || share < LEAST_SHARE) return null;
  // An estimate that includes rows with a code describes the code.
  const { huber, isMoved, most } = codes.length === 0 ? huberSlopes(fitted) : { huber: null, isMoved: false, most: 0 };
  if (found < SOME_ROWS && !isMoved) return null;
  return {
    /** By weight. */
    share,
    /** In residual scales. */
    beyond: beyond / scale,
    /** The estimate of pseudo-Huber's loss; null where rows have a code for a missing value. */
    huber: huber && standardized.toTheta(huber),
    /** Whether a slope then differs by more than two standard errors, and the feature whose slope differs most. */
    isMoved,
    most,
  };
}

const LEAST_ROWS = 2;
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

function huberSlopes({ study, estimate, t, weights }: FittedStudy) {
  const few = tellingRows(study);
  const { batch, intercept } = few;
  const huber = irls(batch, pseudoHuber(HUBER_TUNING * estimate.residualScale), t, few);
  const counts = weights.subarray(0, batch.rows);
  const errors = standardErrors(batch, { loss: estimate.loss.loss, t, weights: counts, intercept });
  return { huber, ...mostMoved(huber, t, errors.subarray(0, batch.columns.length)) };
}

/** The place that differs most, in standard errors, and whether by more than LEAST_SHIFT of them. */
function mostMoved(to: Vector, from: Vector, errors: Vector): { readonly most: number; readonly isMoved: boolean } {
  const sizes = errors.map((error, j) => (error > 0 ? Math.abs(to[j]! - from[j]!) / error : 0));
  const most = sizes.indexOf(Math.max(...sizes));
  return { most, isMoved: sizes[most]! > LEAST_SHIFT };
}

export interface RejectedRowsIncluded {
  /** Whether a slope changes by more than two standard errors. */
  readonly isMoved: boolean;
  /** The slope that changes most, in standard errors; null where another alternative of it is reported. */
  readonly most: Counterfactual | null;
}

export function withRejectedRows({ fit, uncertainty, plan, pilot }: PilotedRun): RejectedRowsIncluded | null {
  const { rejectedRows, exactShare } = pilot.residuals;
  // Where a line goes through most rows, residuals have no scale.
  if (!rejectedRows?.huber || exactShare > 0.5) return null;
  const { huber, isMoved, most } = rejectedRows;
  if (uncertainty === null) return { isMoved, most: { column: most, value: huber[most]! } };
  const found = mostMoved(huber, fit.theta, uncertainty.errors.subarray(0, plan.features));
  return { isMoved: found.isMoved, most: { column: found.most, value: huber[found.most]! } };
}

/** In standard errors of the fit. */
export const LEAST_SHIFT = 2;

/** From this share on, rows that pull a least-squares fit have residuals beyond 6 scales and are reported as such. */
export const LEAST_FAR = 0.002;

export const outlierNotes: Tell = (found, options, instead) => {
  const { pilot, loss, isLossOpen } = found;
  if (pilot.estimate.isLossTooNarrow) return null;
  const { uncodedOutlierShare: share, rejectedRows, scale } = pilot.residuals;
  if (rejectedRows !== null) return rejectedNotes(found, options, instead);
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

const rejectedNotes: Tell = (found, options, instead) => {
  const { rejectedRows: included } = instead;
  const { isLossOpen, fit, pilot } = found;
  const { uncodedOutlierShare, rejectedRows } = pilot.residuals;
  const { share, beyond } = rejectedRows!;
  const isMoved = included?.isMoved === true && included.most !== null;
  // Where the rejected rows have extreme features or rare levels, another note reports them.
  const isReported = [rejectedGroupNotes, rejectedExtremeNotes].some(tell => tell(found, options, instead) !== null);
  if (isReported && uncodedOutlierShare < LEAST_FAR && !isMoved) return null;
  const group =
    isLossOpen && share >= A_GROUP ? '; they may follow a different model: look for a column that identifies them' : '';
  const rejected = `${largeResiduals(pilot, share, uncodedOutlierShare >= share ? OUTLIER_SCALES : beyond)} and are rejected${group}`;
  if (included === null) return rejected;
  const { most } = included;
  const name = most === null ? '' : quoted(most.column, options.names);
  const values = most === null ? ['', ''] : [fit.theta[most.column]!, most.value].map(digits);
  if (isMoved)
    return `${rejected}; with ${tunedLoss('pseudo-huber', HUBER_TUNING * pilot.residuals.scale)}, which includes them, ${name} would be ${values[1]} instead of ${values[0]}`;
  if (included.isMoved) return rejected;
  const largest = most === null || group !== '' ? '' : ` (${name} most, from ${values[0]} to ${values[1]})`;
  return `${rejected}; including them would change no slope by more than two standard errors${largest}`;
};

const A_GROUP = 0.1;

export const narrowNotes: Tell = ({ pilot, loss }) => {
  if (!pilot.estimate.isLossTooNarrow) return null;
  const { scale } = pilot.residuals;
  return `the parameter of ${loss.name}, ${digits(loss.parameter!)}, is ${digits(scale / loss.parameter!)} times smaller than the residuals' scale: too few rows determine the curvature, and the estimate is imprecise; ${tunedLoss(loss.name, (loss.name === 'pseudo-huber' ? HUBER_TUNING : TUKEY_TUNING) * scale)} suits these rows`;
};
