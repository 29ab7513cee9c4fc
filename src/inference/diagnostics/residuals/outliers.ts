import { meanOf } from '../../../math/median.ts';
import type { Loss } from '../../../method/loss/loss.ts';
import { HUBER_TUNING, TUKEY_TUNING } from '../../../method/loss/lossByName.ts';
import type { FittedStudy } from '../../pilot/fittedStudy.ts';
import { digits, listing, percent, quoted, type Tell, tunedLoss } from '../notes.ts';

/** One normal residual in five hundred million is beyond that many scales. */
export const OUTLIER_SCALES = 6;

/** A fit by a loss that gives distant rows almost no weight, or none, and the residuals of the pilot's rows in it. */
export interface RedescendingFit {
  readonly loss: Loss;
  readonly residuals: Float64Array;
}

/** The bisquare fit of a blend, or the fit itself where its loss is redescending; null where neither is. */
export function redescendingFit({ estimate, risk, rows, t }: FittedStudy): RedescendingFit | null {
  const { blend, loss } = estimate;
  const found = blend ?? (['tukey', 'geman-mcclure'].includes(loss.name) ? { loss, t } : null);
  return found && { loss: found.loss.loss, residuals: risk.residuals(found.t, new Float64Array(rows.rows)) };
}

/** omega = psi(r)/r, the weight of a row in the fit: 1 at residual 0, 0 far from it. */
export const omegaOf = (loss: Loss, r: number): number => (r === 0 ? 1 : loss.slope(-r, 0) / -r);

/** Below it a row counts for nothing. */
const NONE = 0.01;

export const hasNoWeight = ({ loss, residuals }: RedescendingFit, row: number): boolean =>
  omegaOf(loss, residuals[row]!) < NONE;

/** The share of rows, by weight, that a redescending fit gives no weight. */
export const weightlessShare = (fit: RedescendingFit, weights: Float64Array): number =>
  meanOf(
    fit.residuals.map((_, i) => (hasNoWeight(fit, i) ? 1 : 0)),
    weights,
  );

/** In standard errors of the fit. */
export const LEAST_SHIFT = 2;

/** From this share on, rows that pull a least-squares fit have residuals beyond 6 scales and are reported as such. */
export const LEAST_FAR = 0.002;

export const outlierNotes: Tell = ({ pilot, loss }) => {
  if (pilot.estimate.isLossTooNarrow) return null;
  const { uncodedOutlierShare: share, outlierShare, uncodedWeightlessShare: weightless } = pilot.residuals;
  const besides = share < outlierShare ? ', besides those with codes,' : '';
  const large = `${percent(share)} of the pilot rows${besides} have residuals beyond ${OUTLIER_SCALES} scales`;
  if (pilot.estimate.blend !== null) {
    const { weight } = pilot.estimate.blend;
    if (weightless < MANY) return null;
    const group =
      weightless >= A_GROUP ? '; they may follow a different model: look for a column that identifies them' : '';
    return `${percent(weightless)} of the pilot rows${weightless < pilot.residuals.weightlessShare ? ', besides those with codes,' : ''} have no weight in the bisquare fit, which counts ${digits(weight)} in the estimate, and bounded influence on Huber's fit, which counts the rest${group}`;
  }
  if (loss.name === 'pseudo-huber') return share < MANY ? null : `${large}; their influence is bounded`;
  if (share < LEAST_FAR) return null;
  if (loss.name === 'squared')
    return `${large} and pull the estimate, even with a median of means; \`loss: 'auto'\` bounds their influence, but does not estimate means`;
  return `${large}; check whether they are outliers`;
};

/** Heavy tails are harmless where influence is bounded, and worth a note only where they have many rows. */
const MANY = 0.01;

const A_GROUP = 0.1;

export const narrowNotes: Tell = ({ pilot, loss }) => {
  if (!pilot.estimate.isLossTooNarrow) return null;
  const { scale } = pilot.residuals;
  return `the parameter of ${loss.name}, ${digits(loss.parameter!)}, is ${digits(scale / loss.parameter!)} times smaller than the residuals' scale: too few rows determine the curvature, and the estimate is imprecise; ${tunedLoss(loss.name, (loss.name === 'pseudo-huber' ? HUBER_TUNING : TUKEY_TUNING) * scale)} suits these rows`;
};

/**
 * Far rows move Huber's fit by more than chance, as a weight of 1/2 says of all coefficients together: which of both fits
 * is wanted depends on what those rows are.
 */
export const differenceNotes: Tell = ({ pilot, blend, uncertainty }, { names }) => {
  // Codes for missing values explain it, and are reported as what they are.
  if (blend === null || uncertainty === null || pilot.columns.missingCodes.length > 0) return null;
  const { weight, huber, bisquare } = blend;
  if (weight < EVEN) return null;
  const sizes = names.map((_, j) => {
    const gap = Math.abs(huber[j]! - bisquare[j]!);
    const sampling = uncertainty.errors[j]! ** 2 - weight * (1 - weight) * gap ** 2;
    return sampling > 0 ? gap / Math.sqrt(sampling) : 0;
  });
  const far = sizes.flatMap((size, j) => (size > LEAST_SHIFT ? [j] : []));
  if (far.length === 0) return null;
  const values = far.map(j => `${quoted(j, names)} ${digits(huber[j]!)} and ${digits(bisquare[j]!)}`);
  return `Huber's fit and the bisquare fit differ by more than two standard errors: ${listing(values)}. The estimate is their mean, in which the second has the weight ${digits(weight)}, and intervals reflect the choice; far rows make the difference: find out whether they belong to the data`;
};

/** The weight where both fits differ by two standard errors of their difference. */
const EVEN = 1 / 2;
