import { requireInteger, requireVector } from '../../errors.ts';
import { symmetricEigen } from '../../math/symmetricEigen.ts';
import { blend, dot, times, type Vector, zeros } from '../../math/vector.ts';
import type { Gradient } from '../../sample/gradientSums.ts';
import { coordinatesOf, whiteningOf } from '../../sample/transform/whitening.ts';
import type { Loss } from '../loss/loss.ts';
import { pseudoHuber } from '../loss/pseudoHuber.ts';
import type { UpdateRule } from './updateRule.ts';

/** What a release of a private stream may be about. */
export type ReleaseKind = 'moments' | 'histogram' | 'look' | 'gradient';

/** Rows in the coordinates of a question: z = (matrix x + shift, 1), the 1 where there is an intercept. */
interface Coordinates {
  /** Row-major. */
  readonly matrix: Float64Array;
  readonly shift: Vector;
  readonly intercept: boolean;
}

/** What the next release is to say about its rows; `engine/kernel/releaseSummer.ts` answers it. */
export type ReleaseQuestion =
  | { readonly asks: 'moments'; readonly at: Vector; readonly norm: number; readonly targetUnit: number }
  | ({ readonly asks: 'histogram'; readonly at: Vector } & Coordinates)
  | ({
      readonly asks: 'look' | 'gradient';
      readonly at: Vector;
      readonly loss: Loss;
      /** Rows longer than this are weighted down to it. */
      readonly cap: number;
      /** The largest second derivative of the loss for a look, its steepest slope for a gradient. */
      readonly most: number;
    } & Coordinates);

/** One release of the public schedule. */
export interface PlannedRelease {
  readonly kind: ReleaseKind;
  readonly rows: number;
  /** The noise on each number of the mean, for contributions of norm 1. */
  readonly sigma: number;
}

/** A loss whose slopes and second derivatives are bounded, and by what. */
export interface BoundedLoss {
  readonly loss: Loss;
  readonly steepest: number;
  readonly bend: number;
}

export interface PooledOptions {
  readonly features: number;
  readonly intercept: boolean;
  /** Null for pseudo-Huber, whose q is made of a released histogram. */
  readonly loss: BoundedLoss | null;
  /** How a mean target, between -1 and 1 or 0 and 1 of its unit, becomes an intercept. */
  readonly link: 'linear' | 'logit' | 'log';
  /** The largest target of counts; 1 for others. */
  readonly targetUnit: number;
  /** The largest |(x, 1, y)|^2 of a scaled row. */
  readonly momentNorm: number;
  /** Release t. */
  readonly release: (t: number) => PlannedRelease;
  /** The release with which pooling begins: all before it are the preamble. */
  readonly preamble: number;
  /** The weight that a gradient keeps from one chunk to the next; 1 where nothing is forgotten. */
  readonly keep: number;
  /** Watches released gradients for a change; nothing does unless given. */
  readonly watch?: PooledWatch;
}

/** A watch over one series for each coefficient, whose state is plain data. */
export interface PooledWatch {
  begin(series: number): unknown;
  /** The watch after one more value of each series, and the series that raises an alarm, if any. */
  next(watch: unknown, values: Vector): { readonly watch: unknown; readonly alarm: number | null };
}

/** All that a private stream has learnt, made of releases and declared facts alone. Plain data. */
export interface PooledState {
  /** Releases so far. */
  readonly step: number;
  /** Coordinates of `theta` and of everything below. */
  readonly matrix: Float64Array;
  readonly shift: Vector;
  /** The estimate, where the next question is asked. */
  readonly theta: Vector;
  /** The scale of pseudo-Huber. */
  readonly q: number;
  /** The row-weighted mean of looks, the weight of its rows, the noise of one of its numbers, and what it is inverted to. */
  readonly curvature: Float64Array;
  readonly curvatureRows: number;
  readonly curvatureSigma: number;
  readonly inverse: Float64Array;
  /** Weighted means over pooled chunks of where gradients were taken, and of the gradients. */
  readonly point: Vector;
  readonly gradient: Vector;
  /** Sums of the chunks' weights, and of their squares. */
  readonly weight: number;
  readonly squaredWeight: number;
  /** Mean of r r' over `freedom` gradients r, each brought to the variance of one chunk's. */
  readonly squares: Float64Array;
  readonly freedom: number;
  /** The latest r of every coefficient, in units of its own spread s; null where there is none. */
  readonly latest: Vector | null;
  /** The watch over r/s; null where nothing watches. */
  readonly watch: unknown;
  /** The latest change found: the release and the coefficient; also where a third gradient in a row was far out. */
  readonly alarm: { readonly step: number; readonly coefficient: number } | null;
  /** Chunks that were set aside: in a row up to now, and in all. */
  readonly asideInRow: number;
  readonly aside: number;
}

/** Residuals below 2^-11, and 24 half octaves up to 2. */
export const HISTOGRAM_BINS = 25;

/** The numbers of the upper triangle of a symmetric matrix. */
export const triangleSize = (size: number): number => (size * (size + 1)) / 2;

/** C/sqrt(k): longer rows of features that are about normal are one in six; fewer would be paid for in noise. */
const CAP = 1.25;
/** Noise changes an eigenvalue by about twice the floor at most; below four of them it is not known to a half. */
const CLEAR = 4;
/**
 * Share of the intercept's curvature below which no direction's is taken to be: it bounds how far one look can stretch.
 * With .4, features in a twentieth of their bounds settled at 12 times the error to expect; with 0, one run in eight
 * overshot. With .1, 1.2 times.
 */
const LEAST_CURVATURE = 0.1;
/** A floor of so many times what was found holds the estimate back for longer than its spread tells. */
const HIDDEN_FROM = 1.4;
/** Gradients further out are set aside, once there are enough to know their spread, and never more than two in a row. */
const FAR = 8;
const KNOWN_FROM = 20;
const MOST_ASIDE = 2;
/** Chunks that the spread of gradients is remembered for, where old ones are forgotten. */
const MEMORY = 200;
/** A more extreme class probability is moved to this, and a mean count to this share of the largest. */
const RAREST = 0.001;
/** The median of |r| is .6745 standard deviations of normal residuals. */
const NORMAL_MEDIAN = 0.6745;

/**
 * The rule of private streams: a fixed preamble of releases, then the pooled gradients of all chunks, for ever.
 *
 *   moments    coordinates in which rows have equal variance, and a least squares start
 *   histogram  q = median |residual| / .6745
 *   look       new coordinates, in which the curvature of slopes is that of the intercept
 *   gradient   in the preamble theta -= (H + sqrt(2k) sigma I)^-1 g, which never overshoots; after it
 *              theta_t = mean(points) - H^-1 mean(g),   H = row-weighted mean of looks
 *
 * Why pooled: today's curvature is applied to all gradients, so an early look that was wrong is made good by later ones.
 * A mean of one-step estimates would keep its mistakes: with a curvature wrong by a factor a its variance is
 * a^2/(2a - 1) times as large, and for a < 1/2 it does not settle at all.
 *
 * Guarantee. `question` depends on the state alone, and the state on declared facts and answers: a pure function of
 * what was released. Nothing here sees a row.
 * Edge cases. Releases may be anything, as noise is: counts of nothing, negative second moments, curvatures that are not
 * positive. All are floored at the noise they have.
 */
export interface Pooled extends UpdateRule<PooledState> {
  question(state: PooledState): ReleaseQuestion;
  /** Coefficients of scaled rows, and the linear map to them from the rule's coordinates, row-major. */
  coefficients(state: PooledState): { readonly theta: Vector; readonly map: Float64Array };
}

export function pooled(options: PooledOptions): Pooled {
  const { features, intercept, release, preamble, keep } = options;
  requireInteger('features', features, 1);
  const size = features + (intercept ? 1 : 0);
  const cap = CAP * Math.sqrt(size);

  const lossAt = ({ q }: PooledState): BoundedLoss => options.loss ?? { loss: pseudoHuber(q), steepest: q, bend: 1 };
  const question = (state: PooledState): ReleaseQuestion => {
    const { theta: at, matrix, shift } = state;
    const { kind: asks } = release(state.step);
    if (asks === 'moments') return { asks, at, norm: options.momentNorm, targetUnit: options.targetUnit };
    if (asks === 'histogram') return { asks, at, matrix, shift, intercept };
    const { loss, steepest, bend } = lossAt(state);
    return { asks, at, matrix, shift, intercept, loss, cap, most: asks === 'look' ? bend : steepest };
  };
  const step = (state: PooledState, { values }: Gradient): PooledState => {
    const planned = release(state.step);
    const next = { ...state, step: state.step + 1, latest: null };
    switch (planned.kind) {
      case 'moments':
        return { ...next, ...started(values, planned, options) };
      case 'histogram':
        return { ...next, q: scaleOf(values) };
      case 'look': {
        const unit = cap * cap * lossAt(state).bend;
        const look = { matrix: unfolded(values, size, unit), rows: planned.rows, sigma: planned.sigma * unit };
        return state.step < preamble ? rewhitened(next, look, intercept) : looked(next, look);
      }
      case 'gradient': {
        const unit = cap * lossAt(state).steepest;
        const g = requireVector('gradient', values, size).map(value => value * unit);
        return state.step < preamble
          ? approached(next, g)
          : watched(poolGradient(next, g, keep, coefficients(state).map));
      }
    }
  };
  const watched = (state: PooledState): PooledState => {
    if (options.watch === undefined || state.latest === null) return state;
    const { watch, alarm } = options.watch.next(state.watch, state.latest);
    return { ...state, watch, alarm: alarm === null ? state.alarm : { step: state.step, coefficient: alarm } };
  };
  const coefficients = ({ theta, matrix, shift }: PooledState): { theta: Vector; map: Float64Array } => {
    const map = new Float64Array(size * size);
    for (let j = 0; j < features; j++) {
      for (let l = 0; l < features; l++) map[l * size + j] = matrix[j * features + l]!;
      if (intercept) map[features * size + j] = shift[j]!;
    }
    if (intercept) map[size * size - 1] = 1;
    return { theta: times(map, theta), map };
  };
  return Object.freeze({
    name: 'pooled',
    init: (start: Vector): PooledState => ({
      step: 0,
      matrix: identity(features),
      shift: zeros(features),
      theta: requireVector('start', start, size).slice(),
      q: 1,
      curvature: identity(size),
      curvatureRows: 0,
      curvatureSigma: 0,
      inverse: identity(size),
      point: zeros(size),
      gradient: zeros(size),
      weight: 0,
      squaredWeight: 0,
      squares: zeros(size * size),
      freedom: 0,
      latest: null,
      watch: options.watch?.begin(size) ?? null,
      alarm: null,
      asideInRow: 0,
      aside: 0,
    }),
    query: ({ theta }: PooledState) => theta,
    question,
    step,
    iterate: (state: PooledState) => coefficients(state).theta,
    coefficients,
  });
}

/** Coordinates and a least squares start, from noisy second moments of (x, 1, y). */
function started(
  values: Vector,
  { sigma: noise }: PlannedRelease,
  { features, intercept, momentNorm, link, targetUnit }: PooledOptions,
): Pick<PooledState, 'matrix' | 'shift' | 'theta'> {
  const all = unfolded(values, features + 2, momentNorm);
  const at = (a: number, b: number): number => all[a * (features + 2) + b]!;
  const sigma = noise * momentNorm;
  const y = features + 1;
  const own: number[] = [];
  for (let a = 0; a <= features; a++)
    for (let b = a; b <= features; b++) own.push(at(a, b) * (a === b ? 1 : Math.SQRT2));
  const whitening = whiteningOf(Float64Array.of(...own, at(features, y)), { features, intercept, sigma });
  const count = Math.max(at(features, features), sigma);
  const mean = within(at(features, y) / count, -1, 1);
  const { centre } = whitening;
  const rows = coordinatesOf(whitening);
  const matrix = Float64Array.from(rows.flatMap(row => [...row]));
  const shift = Float64Array.from(rows, row => -dot(row, centre));
  const together = Float64Array.from(
    { length: features },
    (_, j) => at(j, y) / count - (intercept ? centre[j]! * mean : 0),
  );
  const chance = within(mean, RAREST, link === 'logit' ? 1 - RAREST : 1);
  const spread = link === 'linear' ? 1 : link === 'logit' ? chance * (1 - chance) : chance;
  const theta = zeros(features + (intercept ? 1 : 0));
  rows.forEach((row, j) => {
    theta[j] = dot(row, together) / spread;
  });
  if (intercept)
    theta[features] =
      link === 'linear' ? mean : link === 'logit' ? Math.log(chance / (1 - chance)) : Math.log(chance * targetUnit);
  return { matrix, shift, theta };
}

/** q: the median of |residual|, where half of the noised total is reached, over that of normal residuals. */
function scaleOf(values: Vector): number {
  const half = values.reduce((sum, value) => sum + value, 0) / 2;
  let before = 0;
  let bin = 0;
  while (bin < HISTOGRAM_BINS - 1 && before + values[bin]! < half) before += values[bin++]!;
  const share = values[bin]! > 0 ? within((half - before) / values[bin]!, 0, 1) : 1;
  return 2 ** within((bin - 1 + share) / 2 - 11, -11, 1) / NORMAL_MEDIAN;
}

interface Look {
  readonly matrix: Float64Array;
  readonly rows: number;
  readonly sigma: number;
}

/**
 * Coordinates z' = sqrt(h) V L^(-1/2) V'(z - c) in which the curvature of slopes is h, that of the intercept, and has
 * no part in common with it:
 *
 *   c = H_sk/h,   H_ss - h c c' = V l V',   L = max(.1 h, l < 4f ? max(0, l) + f : l),   f = sqrt(k/2) sigma
 */
function rewhitened(state: PooledState, { matrix: H, rows, sigma }: Look, intercept: boolean): PooledState {
  const size = state.theta.length;
  const features = intercept ? size - 1 : size;
  const h = referenceOf(H, size, intercept, sigma);
  const c = Float64Array.from({ length: features }, (_, j) => (intercept ? H[j * size + features]! / h : 0));
  const block = new Float64Array(features * features);
  for (let a = 0; a < features; a++)
    for (let b = 0; b < features; b++) block[a * features + b] = H[a * size + b]! - h * c[a]! * c[b]!;
  const pairs = symmetricEigen(block, features);
  const floored = pairs.map(({ value }) => flooredCurvature(value, floorOf(size, sigma), h));
  const mapped = (power: (k: number) => number): Float64Array => fromPairs(pairs, (_, k) => power(k));
  const stretch = mapped(k => Math.sqrt(h / floored[k]!));
  const back = mapped(k => Math.sqrt(floored[k]! / h));
  const matrix = new Float64Array(features * features);
  for (let a = 0; a < features; a++)
    for (let b = 0; b < features; b++)
      for (let j = 0; j < features; j++)
        matrix[a * features + b]! += stretch[a * features + j]! * state.matrix[j * features + b]!;
  const slopes = state.theta.subarray(0, features);
  const theta = zeros(size);
  theta.set(times(back, slopes));
  if (intercept) theta[features] = state.theta[features]! + dot(slopes, c);
  const known = mapped(k => (h * pairs[k]!.value) / floored[k]!);
  const curvature = new Float64Array(size * size);
  for (let a = 0; a < features; a++)
    for (let b = 0; b < features; b++) curvature[a * size + b] = known[a * features + b]!;
  if (intercept) curvature[size * size - 1] = h;
  return withCurvature(
    {
      ...state,
      matrix,
      shift: times(
        stretch,
        state.shift.map((value, j) => value - c[j]!),
      ),
      theta,
    },
    { curvature, curvatureRows: rows, curvatureSigma: sigma },
    intercept,
  );
}

/** A look after the preamble: its mean with those before, by rows. */
function looked(state: PooledState, { matrix, rows, sigma }: Look): PooledState {
  const before = state.curvatureRows;
  const curvatureRows = before + rows;
  const share = rows / curvatureRows;
  const curvature = blend(state.curvature, matrix, share);
  const curvatureSigma = Math.hypot((1 - share) * state.curvatureSigma, share * sigma);
  return repooled(withCurvature(state, { curvature, curvatureRows, curvatureSigma }, hasIntercept(state)));
}

const hasIntercept = ({ theta, shift }: PooledState): boolean => theta.length > shift.length;

function withCurvature(
  state: PooledState,
  found: Pick<PooledState, 'curvature' | 'curvatureRows' | 'curvatureSigma'>,
  intercept: boolean,
): PooledState {
  const size = state.theta.length;
  const { curvature: H, curvatureSigma: sigma } = found;
  const h = referenceOf(H, size, intercept, sigma);
  const pairs = symmetricEigen(H, size);
  const inverse = fromPairs(pairs, value => 1 / flooredCurvature(value, floorOf(size, sigma), h));
  return { ...state, ...found, inverse };
}

/** The intercept's curvature, which no direction hides; without an intercept, the mean over directions. */
function referenceOf(H: Float64Array, size: number, intercept: boolean, sigma: number): number {
  let trace = 0;
  for (let j = 0; j < size; j++) trace += H[j * (size + 1)]!;
  return Math.max(intercept ? H[size * size - 1]! : trace / size, CLEAR * sigma);
}

const floorOf = (size: number, sigma: number): number => Math.sqrt(size / 2) * sigma;

const flooredCurvature = (value: number, floor: number, reference: number): number =>
  Math.max(LEAST_CURVATURE * reference, value < CLEAR * floor ? Math.max(0, value) + floor : value);

/** A step of the preamble. */
function approached(state: PooledState, g: Vector): PooledState {
  const { theta, curvature, curvatureSigma: sigma } = state;
  const size = theta.length;
  const h = referenceOf(curvature, size, hasIntercept(state), sigma);
  const pairs = symmetricEigen(curvature, size);
  const damped = fromPairs(
    pairs,
    value => 1 / (flooredCurvature(value, floorOf(size, sigma), h) + Math.sqrt(2 * size) * sigma),
  );
  const way = times(damped, g);
  return { ...state, theta: theta.map((value, j) => value - way[j]!) };
}

/** One more gradient of the pool, unless it is far out. */
function poolGradient(state: PooledState, g: Vector, keep: number, map: Float64Array): PooledState {
  const { inverse, weight, squaredWeight, freedom } = state;
  const size = g.length;
  // The point is a mean itself, so a gradient there varies more than one at a fixed point.
  const evened = weight > 0 ? 1 / (1 + squaredWeight / weight ** 2) : 0;
  const r = times(map, times(inverse, g)).map(value => -value * Math.sqrt(evened));
  const spreads = spreadsOf(state, map);
  const latest = freedom > 0 && evened > 0 ? r.map((value, j) => value / spreads[j]!) : null;
  const isFar = freedom >= KNOWN_FROM && latest!.some(value => !(Math.abs(value) <= FAR));
  if (isFar && state.asideInRow < MOST_ASIDE) {
    return { ...state, asideInRow: state.asideInRow + 1, aside: state.aside + 1 };
  }
  const furthest = isFar
    ? latest!.map(Math.abs).reduce((most, value, j, all) => (value > all[most]! ? j : most), 0)
    : 0;
  const counted = evened > 0 ? freedom + 1 : freedom;
  const share = evened > 0 ? 1 / (keep < 1 ? Math.min(counted, MEMORY) : counted) : 0;
  const squares = state.squares.map((value, at) => {
    const one = evened * g[Math.floor(at / size)]! * g[at % size]!;
    return value + share * (one - value);
  });
  const total = keep * weight + 1;
  return repooled({
    ...state,
    point: blend(state.point, state.theta, 1 / total),
    gradient: blend(state.gradient, g, 1 / total),
    weight: total,
    squaredWeight: keep * keep * squaredWeight + 1,
    squares,
    freedom: counted,
    latest,
    ...(isFar && { alarm: { step: state.step, coefficient: furthest } }),
    asideInRow: 0,
    curvatureRows: keep * state.curvatureRows,
  });
}

/** theta = mean(points) - H^-1 mean(g) */
function repooled(state: PooledState): PooledState {
  if (state.weight === 0) return state;
  const way = times(state.inverse, state.gradient);
  return { ...state, theta: state.point.map((value, j) => value - way[j]!) };
}

/** s_j: the spread of one chunk's estimate, in the coordinates that a linear map leads to. */
export function spreadsOf({ inverse, squares }: PooledState, map: Float64Array): Vector {
  const size = Math.sqrt(inverse.length);
  return Float64Array.from({ length: size }, (_, j) => {
    const row = rowTimes(map, inverse, j, size);
    return Math.sqrt(Math.max(0, dot(row, times(squares, row))));
  });
}

/**
 * For each coordinate that a linear map leads to, the share of it, 0 to 1, that lies in directions whose curvature was
 * floored: noise hides them, or features vary in too little of their bounds there. Estimates are held back in them, for
 * longer than intervals know. Made of releases alone.
 */
export function hiddenShares(state: PooledState, map: Float64Array): Vector {
  const { curvature, curvatureSigma: sigma, theta } = state;
  const size = theta.length;
  const h = referenceOf(curvature, size, hasIntercept(state), sigma);
  const floor = floorOf(size, sigma);
  const hidden = symmetricEigen(curvature, size).filter(
    ({ value }) => flooredCurvature(value, floor, h) > HIDDEN_FROM * Math.max(0, value),
  );
  return Float64Array.from({ length: size }, (_, j) => {
    const row = map.subarray(j * size, (j + 1) * size);
    const all = dot(row, row);
    return all > 0 ? hidden.reduce((sum, { vector }) => sum + dot(row, vector) ** 2, 0) / all : 0;
  });
}

/** Row j of the product of two square matrices, the second symmetric. */
const rowTimes = (map: Float64Array, symmetric: Float64Array, j: number, size: number): Vector =>
  times(symmetric, map.subarray(j * size, (j + 1) * size));

/** The full matrix from its upper triangle, in which off-diagonal entries are multiplied by sqrt(2), times a unit. */
function unfolded(triangle: Vector, size: number, unit: number): Float64Array {
  requireVector('triangle', triangle, triangleSize(size));
  const matrix = new Float64Array(size * size);
  let place = 0;
  for (let a = 0; a < size; a++)
    for (let b = a; b < size; b++) {
      const value = (unit * triangle[place++]!) / (a === b ? 1 : Math.SQRT2);
      matrix[a * size + b] = value;
      matrix[b * size + a] = value;
    }
  return matrix;
}

/** sum over k of f(value_k, k) v_k v_k' */
function fromPairs(
  pairs: readonly { readonly value: number; readonly vector: Vector }[],
  f: (value: number, k: number) => number,
): Float64Array {
  const size = pairs.length;
  const matrix = new Float64Array(size * size);
  pairs.forEach(({ value, vector }, k) => {
    const factor = f(value, k);
    for (let a = 0; a < size; a++)
      for (let b = 0; b < size; b++) matrix[a * size + b]! += factor * vector[a]! * vector[b]!;
  });
  return matrix;
}

const identity = (size: number): Float64Array =>
  Float64Array.from({ length: size * size }, (_, at) => (Math.floor(at / size) === at % size ? 1 : 0));

/** Keeps a value between two ends; what is not a number becomes the lower one. */
const within = (value: number, least: number, most: number): number => (value > least ? Math.min(most, value) : least);
