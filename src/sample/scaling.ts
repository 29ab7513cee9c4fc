/**
 * Rows in the units of their declared bounds: x' = (x - centre) / scale is in [-1, 1] for every row that keeps to them,
 * and rows that do not are moved to the nearest bound. Nothing here is read off the data, so a private run may use it
 * for nothing.
 *
 *   with an intercept     centre = (least + most) / 2, scale = (most - least) / 2
 *   without one           centre = 0, scale = max(|least|, |most|): a shift would need an intercept to undo it
 *   by a norm bound L     centre = 0, scale = L for every feature; rows of a larger norm are shrunk to it
 *   levels of a text      centre = 0: all but one are 0 in every row, so that together they add as much to its norm as a single feature
 *
 * Bounds hold for the rows at their corners, which hardly any row is near. So rows that are longer than `rowLength` may
 * count less, by rowLength / ||x'||: a row's gradient is then no longer than the slope times rowLength. Weights that
 * depend on features alone leave what is estimated as it is.
 */

import { ArgumentError, refuse, requireFinite, requirePositive } from '../math/check.ts';
import { counted } from '../math/counted.ts';
import type { Vector } from '../math/vector.ts';

export interface Interval {
  readonly least: number;
  readonly most: number;
}

export interface FeatureInterval extends Interval {
  /**
   * What tells the text column that the feature marks one level of: of all features with the same, one at most is not
   * 0.
   */
  readonly levelOf?: string;
}

/** What is declared about rows: an interval for every feature, or a bound on ||x||_2. */
export type FeatureBounds = { readonly intervals: readonly FeatureInterval[] } | { readonly norm: number };

export interface Axis {
  readonly centre: number;
  readonly scale: number;
  /**
   * What is declared, in units of the axis: -1 to 1 with an intercept, a part of it without one. Absent where only a
   * norm is.
   */
  readonly least?: number;
  readonly most?: number;
  readonly levelOf?: string;
}

export interface Scaling {
  readonly features: readonly Axis[];
  /** Centre 0 and scale 1 where the loss takes targets as they are. */
  readonly target: Axis;
  readonly targetBounds: Interval;
  /** Whether rows are held to a norm of 1 instead of each feature to [-1, 1]. */
  readonly byNorm: boolean;
  readonly intercept: boolean;
  /** Rows for which ||x'||_2, the intercept's 1 included, is larger count less; none do unless given. */
  readonly rowLength?: number;
}

export interface ScalingOptions {
  readonly features: number;
  readonly bounds: FeatureBounds;
  readonly target: Interval;
  readonly intercept: boolean;
  /** False for the targets of GLMs, whose scale means something. */
  readonly scalesTarget: boolean;
  /** For messages. */
  readonly names?: readonly string[];
}

export function scalingOf(options: ScalingOptions): Scaling {
  const { features, bounds, target, intercept, scalesTarget, names = [] } = options;
  requireInterval('the bounds of the target', target);
  const axes =
    'norm' in bounds
      ? Array.from({ length: features }, () => ({ centre: 0, scale: requirePositive('norm', bounds.norm) }))
      : bounds.intervals.map((interval, j) =>
          featureAxis(interval, intercept, `the bounds of ${names[j] ?? `feature ${j}`}`),
        );
  if (axes.length !== features)
    refuse('bounds', `be declared for ${counted(features, 'feature')}`, axes.length);
  return Object.freeze({
    features: Object.freeze(axes),
    target: scalesTarget ? axisOf(target, intercept, 'the bounds of the target') : UNSCALED,
    targetBounds: target,
    byNorm: 'norm' in bounds,
    intercept,
  });
}

/** The largest ||x'||_2 of a scaled row, the intercept's 1 included. */
export const scaledNorm = ({ features, byNorm, intercept }: Scaling): number =>
  Math.sqrt((byNorm ? 1 : nonZeros(features)) + (intercept ? 1 : 0));

/** How many features of a row can differ from 0 at a time. */
function nonZeros(features: readonly Axis[]): number {
  const numbers = features.filter(({ levelOf }) => levelOf === undefined).length;
  return numbers + levelCounts(features).size;
}

/** Of every text column, how many levels have a feature. */
export function levelCounts(features: readonly Axis[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { levelOf } of features)
    if (levelOf !== undefined) counts.set(levelOf, (counts.get(levelOf) ?? 0) + 1);
  return counts;
}

/** The largest |y'| of a scaled target. */
export const scaledTarget = ({ target, targetBounds }: Scaling): number =>
  Math.max(Math.abs(scaled(targetBounds.least, target)), Math.abs(scaled(targetBounds.most, target)));

const scaled = (value: number, { centre, scale }: Axis): number => (value - centre) / scale;

/** Coefficients of scaled rows as coefficients of the rows themselves; an intercept is last in both. */
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

const UNSCALED: Axis = Object.freeze({ centre: 0, scale: 1 });

/** A shift would put all levels but one at -1, every one of them nearly the intercept over again. */
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
    const wayOut =
      least > most ? `the ends are reversed, write ${most}..${least}` : 'leave out what is constant';
    throw new ArgumentError(
      `${name} must have a lower end below the upper one, got ${least}..${most}; ${wayOut}`,
    );
  }
  const span = most - least;
  if (!(span / 2 > 0 && span < Infinity)) refuse(name, 'span a finite range that can be halved', interval);
  return interval;
}
