/**
 * The model of a private plan whose first release is of second moments, and whose steps are taken in coordinates
 * whitened by them (`sample/whitening.ts`): rows vary by about 1 in every direction whatever their bounds, as far as
 * noise does not hide it.
 *
 *   R = sqrt(size) / 2;   weight = R / sqrt(size);   curvature_k = bend weight l_k / (l_k + f);   unit_k = 1 / sqrt(l_k + f)
 *
 *   l_k -> moments, f -> momentFloor, R -> rowLength: hardly any row is shorter, and both noise and the weights
 *   R / ||z|| are proportional to it
 *
 * So noise is shaped like the rows: proportional to sqrt(l_k), whereas noise on gradients of scaled rows is the same in
 * every direction. Coefficients of whitened rows are assumed to be as long as those of scaled rows: the effect of
 * features on a target is bounded by it, whatever their units. No curvature exceeds `bend`: weights are a half, which
 * leaves that margin for moments that noise made too small.
 */
import { momentFloor } from '../../sample/transform/whitening.ts';
import { NARROW, type PrivateModel, sum } from './privateModel.ts';

const WEIGHT = 1 / 2;

/** `sigma` is the noise of each second moment. */
export function whitenedModel(model: PrivateModel, features: number, sigma: number): PrivateModel {
  const { bend, steepest, slope } = model;
  const size = model.moments(1).length;
  const rowLength = WEIGHT * Math.sqrt(size);
  const norm = momentNorm(model, features);
  const axes = (spread: number): readonly { readonly seen: number; readonly unit: number }[] => {
    const own = model.moments(spread).slice(0, features);
    const count = Math.min(1, norm / normOf(own));
    const floor = momentFloor(features, sigma / count);
    const found = own.map(moment => ({
      seen: moment / (moment + floor),
      unit: 1 / Math.sqrt(moment + floor),
    }));
    return size > features ? [...found, { seen: 1, unit: 1 }] : found;
  };
  return {
    ...model,
    rowLength,
    lipschitz: steepest * rowLength,
    largestCurvature: bend,
    curvatures: spread => axes(spread).map(({ seen }) => typicalCurvature(model) * seen),
    units: spread => axes(spread).map(({ unit }) => unit),
    variance: (slope * WEIGHT) ** 2,
  };
}

/** Along a direction in which noise hides nothing. */
export const typicalCurvature = ({ usualBend }: PrivateModel): number => usualBend * WEIGHT;

/**
 * N of `momentSummer`: the norm for a row whose features fill a fifth of their bounds, with a target at the end of its
 * bounds.
 */
export const momentNorm = (model: PrivateModel, features: number): number =>
  normOf(model.moments(NARROW).slice(0, features));

/** A target's mean takes little of a row's norm if it is measured in units of this many times the largest target. */
export const TARGET_UNITS = 2;

const normOf = (moments: readonly number[]): number => Math.hypot(1 + sum(moments), 1 / TARGET_UNITS);
