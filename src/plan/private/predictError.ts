/**
 * The expected error of a noisy descent under a stated model of the risk: a quadratic whose Hessian has the given
 * eigenvalues, started at a given distance from its minimum, with independent gradient errors of known variance. Along
 * an eigenvector of eigenvalue c the error e obeys
 *
 *   e_{t+1} = (1 - eta c) (e_t + lambda (e_t - e_{t-1})) - eta (z_t + s),   z_t of variance v_t, s of variance v
 *
 * and its mean and covariance are computed exactly. s is the same in every step: the sampling error of a full batch,
 * which every step sees again. It moves the minimum by s/c, and of that shift the descent covers the same share as of
 * its path. Where the last iterates are averaged, the error is that of S/k, with S their sum. Losses that are flatter
 * on the way than at the minimum have f c for c in the mean: the path is long, while noise acts near its end.
 *
 * A penalty g is part of c, and the descent converges to (1 - g/c) of the unpenalised solution: it falls short of that
 * by g/c of the distance covered, in addition to the steps not taken.
 *
 * A descent may have its own coordinates, one unit of which is `unit` of a coefficient: errors of coefficients are that
 * many times those of the coordinates.
 *
 * Edge cases. Steps that are too long diverge from the minimum, and after many of them exceed the range of doubles: the
 * error is then infinite, and so are noise and distance.
 *
 *   eta -> stepSize, lambda -> momentum (0 for gradient descent), v_t -> variances, v -> sharedVariance,
 *   c -> curvatures, k -> tail, f -> flattening, g -> penalty
 */
export interface DescentModel {
  readonly stepSize: number;
  readonly momentum: number;
  /** One per coordinate. */
  readonly curvatures: readonly number[];
  /** How much of a coefficient one unit of each coordinate is; 1 unless given. */
  readonly units?: readonly number[];
  /** The distance at the start, along every coordinate. */
  readonly distance: number;
  /** Variance of one coordinate of each step's gradient. */
  readonly variances: readonly number[];
  /** Variance of one coordinate of the error that all steps share; 0 unless given. */
  readonly sharedVariance?: number;
  /** The number of last iterates that are averaged; 1 unless given. */
  readonly tail?: number;
  /** 1 unless given: a quadratic. */
  readonly flattening?: number;
  /**
   * The part of every curvature that pulls towards the start; 0 unless given, or for errors about the penalised
   * minimum.
   */
  readonly penalty?: number;
}

/** The model without the curvature of the risk. */
export type DescentPath = Omit<DescentModel, 'curvatures' | 'units' | 'penalty'>;

export interface Terrain extends Pick<DescentModel, 'curvatures' | 'units' | 'penalty'> {
  /** The distance at the start along each coordinate, and the variance of the error that all steps share; the path's unless given. */
  readonly distances?: readonly number[];
  readonly sharedVariances?: readonly number[];
}

/** The error of a descent as its model predicts it, in parts. */
export interface PredictedError {
  /** sqrt(E ||theta_T - theta||^2), of the average where the last iterates are averaged. */
  readonly total: number;
  /** Its part from the gradients' errors, and from stopping after T steps. */
  readonly noise: number;
  readonly distance: number;
  /** And from a penalty, in the same direction: total^2 = noise^2 + sum over coordinates of (distance + drawn)^2. */
  readonly drawn: number;
  /** The total of every coordinate. */
  readonly each: readonly number[];
}

/** The expected error of noisy descent along each coordinate, in closed form; see `DescentModel`. */
export const predictError = (model: DescentModel): PredictedError => errorsAlong(model, model, [model.tail ?? 1])[0]!;

/**
 * The same for a path and the curvature of the risk apart, and for several tails, which all end the same walk: planning
 * tries many of the first in each of the second.
 */
export function errorsAlong(
  path: DescentPath,
  { curvatures, units, penalty = 0, distances, sharedVariances }: Terrain,
  tails: readonly number[],
): readonly PredictedError[] {
  const parts: (readonly CoordinateError[])[] = [];
  const walk = walkOf(path.variances.length);
  for (let j = 0; j < curvatures.length; j++) {
    // Many coordinates are equal.
    let like = 0;
    const isLike = (k: number): boolean =>
      [curvatures, units, distances, sharedVariances].every(values => values?.[k] === values?.[j]);
    while (like < j && !isLike(like)) like++;
    const own = { curvature: curvatures[j]!, unit: units?.[j] ?? 1, penalty };
    const from = {
      ...path,
      distance: distances?.[j] ?? path.distance,
      sharedVariance: sharedVariances?.[j] ?? path.sharedVariance ?? 0,
    };
    parts.push(parts[like] ?? coordinateErrors(from, own, tails, walk));
  }
  return tails.map((_, k) => inAll(parts, k));
}

function inAll(parts: readonly (readonly CoordinateError[])[], k: number): PredictedError {
  const each: number[] = [];
  let [total, noise, distance, drawn] = [0, 0, 0, 0];
  for (const errors of parts) {
    const part = errors[k]!;
    const error = Math.sqrt(part.spread + (part.left + part.drawn) ** 2);
    each.push(error);
    total += error ** 2;
    noise += part.spread;
    distance += part.left ** 2;
    drawn += part.drawn ** 2;
  }
  return {
    total: Math.sqrt(total),
    noise: Math.sqrt(noise),
    distance: Math.sqrt(distance),
    drawn: Math.sqrt(drawn),
    each,
  };
}

/**
 * The error without what a penalty adds: a user who asks for a penalty wants the penalised coefficients, and plans
 * should come near those.
 */
export const descentError = ({ noise, distance }: Pick<PredictedError, 'noise' | 'distance'>): number =>
  Math.hypot(noise, distance);

/**
 * The step size from which on the descent diverges along a curvature: where (1 - eta c) (1 + 2 lambda) = -1, and an
 * overshoot is as long as the one before it.
 *
 *   eta = (2 + 2 lambda) / (c (1 + 2 lambda))
 */
export const divergingStep = (curvature: number, momentum: number): number =>
  (2 + 2 * momentum) / (curvature * (1 + 2 * momentum));

interface CoordinateError {
  /** The variance of the error, and its mean. */
  readonly spread: number;
  readonly left: number;
  /** What the penalty adds to the mean. */
  readonly drawn: number;
}

/** After every step E e_t, Var e_t and Cov(e_t, e_{t-1}). */
interface Walk {
  readonly means: Float64Array;
  readonly nows: Float64Array;
  readonly boths: Float64Array;
}

const walkOf = (steps: number): Walk => ({
  means: new Float64Array(steps),
  nows: new Float64Array(steps),
  boths: new Float64Array(steps),
});

function coordinateErrors(
  { stepSize, momentum, distance, variances, sharedVariance = 0, flattening = 1 }: DescentPath,
  { curvature, unit, penalty }: { curvature: number; unit: number; penalty: number },
  tails: readonly number[],
  { means, nows, boths }: Walk,
): readonly CoordinateError[] {
  const steps = variances.length;
  const keep = 1 - stepSize * curvature;
  const [a, b] = [keep * (1 + momentum), -keep * momentum];
  const slowKeep = 1 - stepSize * curvature * flattening;
  const [slowA, slowB] = [slowKeep * (1 + momentum), -slowKeep * momentum];
  let mean = distance;
  let before = distance;
  let now = 0;
  let both = 0;
  let last = 0;
  // Planning runs these loops a million times, and assigning by lists would make as many lists.
  for (let t = 0; t < steps; t++) {
    const mean1 = slowA * mean + slowB * before;
    before = mean;
    mean = mean1;
    const now1 = a * a * now + 2 * a * b * both + b * b * last + stepSize ** 2 * variances[t]!;
    both = a * now + b * both;
    last = now;
    now = now1;
    means[t] = mean;
    nows[t] = now;
    boths[t] = both;
  }
  return tails.map(tail => {
    let meanSum = 0;
    // Var S, Cov(S, e_t), Cov(S, e_{t-1})
    let sum = 0;
    let sumNow = 0;
    let sumLast = 0;
    for (let t = Math.max(0, steps - tail); t < steps; t++) {
      const sumNow1 = a * sumNow + b * sumLast;
      sumLast = sumNow;
      sumNow = sumNow1;
      meanSum += means[t]!;
      sum = sum + 2 * sumNow + nows[t]!;
      sumNow += nows[t]!;
      sumLast += boths[t]!;
    }
    const left = meanSum / tail;
    const spread = sum / tail ** 2 + (sharedVariance / curvature ** 2) * (1 - left / distance) ** 2;
    // Variances that overflow may be infinite with either sign, and their sum NaN.
    if (!Number.isFinite(spread)) return { spread: Infinity, left: Infinity, drawn: 0 };
    const drawn = (penalty / curvature) * (distance - left);
    return { spread: unit ** 2 * spread, left: unit * left, drawn: unit * drawn };
  });
}
