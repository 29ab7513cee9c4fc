import { ArgumentError, refuse, requireFinite, requirePositive } from '../../errors.ts';
import type { Vector } from '../../math/vector.ts';
import { counted } from '../../words.ts';

/** The least and the largest value that something may have. */
export interface Interval {
  /** The lower end. */
  readonly least: number;
  /** The upper end. */
  readonly most: number;
}

/** The declared interval of a feature. */
export interface FeatureInterval extends Interval {
  /**
   * Identifies the text column if the feature is an indicator of one of its levels: at most one of the features with
   * the same value is nonzero in a row.
   */
  readonly levelOf?: string;
}

/** What is declared about rows: an interval for every feature, or a bound on ||x||_2. */
export type FeatureBounds = { readonly intervals: readonly FeatureInterval[] } | { readonly norm: number };

export interface Axis {
  readonly centre: number;
  readonly scale: number;
  /**
   * The declared interval in units of the axis: -1 to 1 with an intercept, part of that without one. Absent if only a
   * norm is declared.
   */
  readonly least?: number;
  readonly most?: number;
  readonly levelOf?: string;
}

/**
 * Rows in the units of their declared bounds: x' = (x - centre) / scale is in [-1, 1] for every row within the bounds,
 * and other rows are moved to the nearest bound. Nothing here is read from the data, so a private run can use it at no
 * privacy cost.
 *
 *   with an intercept     centre = (least + most) / 2, scale = (most - least) / 2
 *   without one           centre = 0, scale = max(|least|, |most|): a shift would need an intercept to undo it
 *   by a norm bound L     centre = 0, scale = L for every feature; rows with a larger norm are shrunk to it
 *   levels of a text      centre = 0: at most one is nonzero in any row, so that together they add as much to its norm
 *                         as a single feature
 *
 * Bounds have to hold at the corners of their box, near which there is hardly any row. So rows longer than `rowLength`
 * may be down-weighted by rowLength / ||x'||, which bounds a row's gradient by the slope times rowLength. Weights that
 * depend on features alone do not change what is estimated.
 */
export interface Scaling {
  readonly features: readonly Axis[];
  /** Centre 0 and scale 1 if the loss takes targets unscaled. */
  readonly target: Axis;
  readonly targetBounds: Interval;
  /** Whether rows are bounded to a norm of 1 instead of each feature to [-1, 1]. */
  readonly byNorm: boolean;
  readonly intercept: boolean;
  /** Rows with a larger ||x'||_2, including the intercept's 1, are down-weighted; none are by default. */
  readonly rowLength?: number;
}

/** The declared bounds from which a scaling is made. */
export interface ScalingOptions {
  /** The number of features. */
  readonly features: number;
  /** What is declared about the features. */
  readonly bounds: FeatureBounds;
  /** The declared interval of the target. */
  readonly target: Interval;
  /** Whether the model has an intercept. */
  readonly intercept: boolean;
  /** False for the targets of GLMs, whose scale is meaningful. */
  readonly scalesTarget: boolean;
  /** Feature names, for messages. */
  readonly names?: readonly string[];
}

/**
 * The scaling that maps declared bounds to [-1, 1], or rows of bounded norm to norm 1; it reads no row.
 *
 * @example
 * const bounds = { intervals: [{ least: 0, most: 80 }] };
 * const scaling = scalingOf({ features: 1, bounds, target: { least: 0, most: 200 }, intercept: true, scalesTarget: true });
 * [scaling.features[0].centre, scaling.features[0].scale]; // [40, 40]
 */
export function scalingOf(options: ScalingOptions): Scaling {
  const { features, bounds, target, intercept, scalesTarget, names = [] } = options;
  requireInterval('the bounds of the target', target);
  const axes =
    'norm' in bounds
      ? Array.from({ length: features }, () => ({ centre: 0, scale: requirePositive('norm', bounds.norm) }))
      : bounds.intervals.map((interval, j) =>
          featureAxis(interval, intercept, `the bounds of ${names[j] ?? `feature ${j}`}`),
        );
  if (axes.length !== features) refuse('bounds', `be declared for ${counted(features, 'feature')}`, axes.length);
  return Object.freeze({
    features: Object.freeze(axes),
    target: scalesTarget ? axisOf(target, intercept, 'the bounds of the target') : UNSCALED,
    targetBounds: target,
    byNorm: 'norm' in bounds,
    intercept,
  });
}

/** The largest ||x'||_2 of a scaled row, including the intercept's 1. */
export const scaledNorm = ({ features, byNorm, intercept }: Scaling): number =>
  Math.sqrt((byNorm ? 1 : nonZeros(features)) + (intercept ? 1 : 0));

/** The number of features of a row that can be nonzero at the same time. */
function nonZeros(features: readonly Axis[]): number {
  const numbers = features.filter(({ levelOf }) => levelOf === undefined).length;
  return numbers + levelCounts(features).size;
}

/** For each text column, the number of levels that have a feature. */
export function levelCounts(features: readonly Axis[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { levelOf } of features) if (levelOf !== undefined) counts.set(levelOf, (counts.get(levelOf) ?? 0) + 1);
  return counts;
}

/** The largest |y'| of a scaled target. */
export const scaledTarget = ({ target, targetBounds }: Scaling): number =>
  Math.max(Math.abs(scaled(targetBounds.least, target)), Math.abs(scaled(targetBounds.most, target)));

const scaled = (value: number, { centre, scale }: Axis): number => (value - centre) / scale;

/** Converts coefficients of scaled rows to coefficients of the original rows; an intercept is last in both. */
export function unscale(theta: Vector, { features, target, intercept }: Scaling): Vector {
  const found = new Float64Array(theta.length);
  let shift = 0;
  features.forEach(({ centre, scale }, j) => {
    found[j] = (theta[j]! * target.scale) / scale;
    shift += found[j]! * centre;
  });
  if (intercept) found[features.length] = target.centre + theta[features.length]! * target.scale - shift;
  return found;
}

const UNSCALED: Axis = /* @__PURE__ */ Object.freeze({ centre: 0, scale: 1 });

/** Levels are not centred: a shift would put all but one at -1, nearly collinear with the intercept. */
const featureAxis = (interval: FeatureInterval, intercept: boolean, name: string): Axis =>
  interval.levelOf === undefined
    ? axisOf(interval, intercept, name)
    : Object.freeze({ ...axisOf(interval, false, name), levelOf: interval.levelOf });

function axisOf(interval: Interval, intercept: boolean, name: string): Axis {
  const { least, most } = requireInterval(name, interval);
  if (intercept)
    return Object.freeze({
      centre: least + (most - least) / 2,
      scale: (most - least) / 2,
      least: -1,
      most: 1,
    });
  const scale = Math.max(Math.abs(least), Math.abs(most));
  return Object.freeze({ centre: 0, scale, least: least / scale, most: most / scale });
}

function requireInterval(name: string, interval: Interval): Interval {
  requireFinite(`the lower end of ${name}`, interval.least);
  requireFinite(`the upper end of ${name}`, interval.most);
  const { least, most } = interval;
  if (!(least < most)) {
    const remedy = least > most ? `the ends are reversed, write ${most}..${least}` : 'leave out constant columns';
    throw new ArgumentError(
      `${name} must have a lower end below the upper one, got ${least}..${most}; ${remedy}`,
      'ERR_ARGUMENT',
      { argument: name, value: [least, most] },
    );
  }
  const span = most - least;
  if (!(span / 2 > 0 && span < Infinity)) refuse(name, 'span a finite range that can be halved', interval);
  return interval;
}
