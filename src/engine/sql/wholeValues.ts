import type { Vector } from '../../math/vector.ts';
import type { Axis, Scaling } from '../../sample/transform/scaling.ts';
import type { Whitening } from '../../sample/transform/whitening.ts';
import { coordinatesOf } from '../../sample/transform/whitening.ts';
import { type Arithmetic, sumOf } from './arithmetic.ts';
import type { Slope } from './slopes.ts';

/** A row in some arithmetic. */
export interface Row<N> {
  readonly features: readonly N[];
  readonly target: N;
  /** 0 for a row that cannot be used. */
  readonly weight: N;
}

/** x.theta, with an intercept as the last coordinate of theta. */
export const scoreOf = <N>(arithmetic: Arithmetic<N>, features: readonly N[], theta: readonly N[]): N =>
  sumOf(arithmetic, [...features.map((x, j) => arithmetic.times(x, theta[j]!)), ...theta.slice(features.length)]);

const squaresOf = <N>(arithmetic: Arithmetic<N>, values: readonly N[]): N =>
  sumOf(
    arithmetic,
    values.map(value => arithmetic.times(value, value)),
  );

/** A row moved into its declared bounds and scaled by them, as `sample/transform/scaledSamples` does. */
export function scaledRow<N>(arithmetic: Arithmetic<N>, row: Row<N>, scaling: Scaling): Row<N> {
  const { constant, minus, over, times, ifFinite, ifAtMost, named } = arithmetic;
  const { target, targetBounds, byNorm, rowLength = Infinity } = scaling;
  const onAxis = (value: N, { centre, scale }: Axis): N => over(minus(value, constant(centre)), constant(scale));
  const values = row.features.map((x, j) => named(onAxis(x, scaling.features[j]!)));
  const weight = named(
    ifFinite([...values, row.target], ifAtMost(constant(1), row.weight, constant(1), constant(0)), constant(0)),
  );
  const clamped = values.map((value, j) => {
    const { least = -Infinity, most = Infinity } = scaling.features[j]!;
    return named(held(arithmetic, value, least, most));
  });
  const inBall = byNorm ? shrunkRow(arithmetic, clamped) : clamped;
  const features = inBall.map(value => named(ifAtMost(constant(1), weight, value, constant(0))));
  const y = onAxis(held(arithmetic, row.target, targetBounds.least, targetBounds.most), target);
  const scaled = { features, target: named(ifAtMost(constant(1), weight, y, constant(0))), weight };
  if (rowLength === Infinity) return scaled;
  return { ...scaled, weight: named(times(weight, lengthWeight(arithmetic, features, scaling.intercept, rowLength))) };
}

function held<N>({ constant, ifBelow }: Arithmetic<N>, value: N, least: number, most: number): N {
  const above = (inner: N): N => (most === Infinity ? inner : ifBelow(constant(most), value, constant(most), inner));
  return above(least === -Infinity ? value : ifBelow(value, constant(least), constant(least), value));
}

/** Rows with a norm above 1 are divided by it; the largest value is factored out, so that squares do not overflow. */
function shrunkRow<N>(arithmetic: Arithmetic<N>, values: readonly N[]): readonly N[] {
  const { constant, over, times, root, size, ifBelow, named } = arithmetic;
  const largest = named(
    values.reduce((most, value) => named(ifBelow(most, size(value), size(value), most)), constant(0)),
  );
  // Of a row of zeros, which nothing is divided by.
  const unit = named(ifBelow(constant(0), largest, largest, constant(1)));
  const shares = values.map(value => named(over(value, unit)));
  const length = named(root(squaresOf(arithmetic, shares)));
  const least = named(ifBelow(constant(0), length, length, constant(1)));
  return shares.map((share, j) => named(ifBelow(constant(1), times(unit, length), over(share, least), values[j]!)));
}

/** min(1, rowLength / ||row||), the 1 of an intercept included. */
function lengthWeight<N>(arithmetic: Arithmetic<N>, features: readonly N[], intercept: boolean, rowLength: number): N {
  const { constant, over, root, ifBelow, named } = arithmetic;
  const one = intercept ? [constant(1)] : [];
  const length = named(root(squaresOf(arithmetic, [...features, ...one])));
  const most = constant(rowLength);
  const divisor = named(ifBelow(most, length, length, most));
  return over(most, divisor);
}

/** A scaled row in whitened coordinates, as `sample/transform/scaledSamples` has it. */
export function whitenedRow<N>(
  arithmetic: Arithmetic<N>,
  { features, target, weight }: Row<N>,
  whitening: Whitening,
  rowLength: number,
): Row<N> {
  const { constant, minus, times, ifBelow, named } = arithmetic;
  const moved = features.map((x, j) => named(minus(x, constant(whitening.centre[j]!))));
  const turned = coordinatesOf(whitening).map(factors =>
    named(
      sumOf(
        arithmetic,
        moved.map((value, j) => times(constant(factors[j]!), value)),
      ),
    ),
  );
  const counts = ifBelow(constant(0), weight, constant(1), constant(0));
  const length = lengthWeight(arithmetic, turned, whitening.intercept, rowLength);
  return { features: turned, target, weight: named(times(counts, length)) };
}

/** The gradient of a row in steps of a grid: weight * slope * x / grid, shrunk to the norm `clip` if it is longer. */
export function gradientValues<N>(
  arithmetic: Arithmetic<N>,
  { features, target, weight }: Row<N>,
  asked: {
    readonly slope: Slope;
    readonly theta: readonly N[];
    readonly grid: number;
    readonly clip?: number | undefined;
  },
): readonly N[] {
  const { constant, times, over, root, size, ifBelow, named } = arithmetic;
  const { slope, theta, grid, clip = Infinity } = asked;
  const one = theta.length > features.length ? [constant(1)] : [];
  let steepness = named(times(slope(arithmetic, named(scoreOf(arithmetic, features, theta)), target), weight));
  if (clip < Infinity) {
    const length = named(times(size(steepness), root(squaresOf(arithmetic, [...features, ...one]))));
    const most = constant(clip);
    const divisor = named(ifBelow(most, length, length, most));
    steepness = named(times(steepness, over(most, divisor)));
  }
  const factor = named(over(steepness, constant(grid)));
  return [...features.map(x => times(factor, x)), ...one.map(() => factor)];
}

/** Second moments of a row and its target, as `engine/kernel/wholeSummer` has them. */
export function momentValues<N>(
  arithmetic: Arithmetic<N>,
  { features, target, weight }: Row<N>,
  { norm, targetUnit, grid }: { readonly norm: number; readonly targetUnit: number; readonly grid: number },
): readonly N[] {
  const { constant, plus, times, over, root, ifBelow, named } = arithmetic;
  const own = [...features, constant(1)];
  const squares = named(squaresOf(arithmetic, own));
  const t = named(over(target, constant(targetUnit)));
  const length = named(root(plus(times(squares, squares), times(t, t))));
  const most = constant(norm);
  const share = over(most, named(ifBelow(most, length, length, most)));
  const factor = named(ifBelow(constant(0), weight, over(share, constant(grid)), constant(0)));
  const single = own.map(value => named(times(factor, value)));
  const twice = single.map(value => named(times(constant(Math.SQRT2), value)));
  const values = own.flatMap((value, a) => [
    times(single[a]!, value),
    ...own.slice(a + 1).map(other => times(twice[a]!, other)),
  ]);
  return [...values, times(factor, t)];
}

/** What a row shows about the risk around a point, as `engine/kernel/wholeSummer` has it. */
export function curvatureValues<N>(
  arithmetic: Arithmetic<N>,
  { features, target, weight }: Row<N>,
  asked: {
    readonly slope: Slope;
    readonly bend: <M>(arithmetic: Arithmetic<M>, score: M, target: M) => M;
    readonly mostBend: number;
    readonly lipschitz: number;
    readonly theta: readonly N[];
    readonly along: Vector;
    readonly norm: number;
    readonly grid: number;
  },
): readonly N[] {
  const { constant, times, over, root, ifBelow, named } = arithmetic;
  const { slope, bend, mostBend, lipschitz, theta, along, norm, grid } = asked;
  const intercept = theta.length > features.length;
  const score = named(scoreOf(arithmetic, features, theta));
  const t = named(
    sumOf(
      arithmetic,
      features.map((x, j) => times(x, constant(along[j]!))),
    ),
  );
  const b = named(over(times(weight, bend(arithmetic, score, target)), constant(mostBend)));
  const g = named(over(times(weight, slope(arithmetic, score, target)), constant(lipschitz)));
  const pulls = features.map(x => named(times(g, x)));
  const values = [
    ...features.map(x => times(b, times(x, x))),
    ...(intercept ? [b] : []),
    times(times(b, t), t),
    intercept ? times(b, t) : constant(0),
    ...pulls.map(pull => times(pull, pull)),
    ...(intercept ? [times(g, g)] : []),
  ].map(named);
  const length = named(root(squaresOf(arithmetic, values)));
  const most = constant(norm);
  const share = over(most, named(ifBelow(most, length, length, most)));
  const factor = named(over(share, constant(grid)));
  return values.map(value => times(value, factor));
}

/** The rotation of dithers from row to row and from coordinate to coordinate, as in `engine/kernel/wholeRows`. */
const PER_ROW = 0.6180339887498949;
const PER_COORDINATE = 0.41421356237309503;
const SHRINKAGE = 1 - 1e-9;
/** 2^52: a larger value is no whole number that could be squared, and its row counts as 0. */
const LARGEST = 2 ** 52;

/**
 * A row's contribution as whole numbers of bounded norm, by the steps of `engine/kernel/wholeRows`, whose guarantee it
 * gives: the final check is a comparison of whole numbers below 2^53, and holds whatever an engine made of the values
 * before it. The dither follows from the id, because a place in a chunk is unknown where rows have no order; ids are
 * first reduced by a prime below 2^26, as the fractions of larger multiples would have few digits left.
 *
 * Edge cases. A row with a NaN, a NULL, an infinity or a value of 2^52 or more adds 0.
 */
export function wholeValues<N>(
  arithmetic: Arithmetic<N>,
  values: readonly N[],
  { squaredNorm, reducedId }: { readonly squaredNorm: number; readonly reducedId: N },
): readonly N[] {
  const { constant, plus, minus, times, over, root, floor, ifAtMost, ifBelow, onlyIfWithin, named } = arithmetic;
  const fractionOf = (value: N): N => minus(value, floor(value));
  const dither = named(fractionOf(named(times(reducedId, constant(PER_ROW)))));
  const whole = values.map((value, j) => {
    const phase = (j * PER_COORDINATE) % 1;
    const own = named(value);
    const ahead = named(plus(dither, constant(phase)));
    return named(onlyIfWithin(own, constant(LARGEST), floor(plus(own, fractionOf(ahead)))));
  });
  const most = constant(squaredNorm);
  const squares = named(squaresOf(arithmetic, whole));
  const divisor = named(ifBelow(most, squares, squares, most));
  const factor = named(times(constant(SHRINKAGE), root(over(most, divisor))));
  const shorter = whole.map(value => {
    const shrunk = named(times(value, factor));
    return named(ifBelow(shrunk, constant(0), minus(constant(0), floor(minus(constant(0), shrunk))), floor(shrunk)));
  });
  const shorterSquares = named(squaresOf(arithmetic, shorter));
  return whole.map((value, j) =>
    ifAtMost(squares, most, value, ifAtMost(shorterSquares, most, shorter[j]!, constant(0))),
  );
}
