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
export function predictError(model: DescentModel): PredictedError {
  const { curvatures, units } = model;
  // Many coordinates are equal.
  const firstLike = (j: number): number =>
    curvatures.findIndex((curvature, i) => curvature === curvatures[j] && units?.[i] === units?.[j]);
  const parts: CoordinateError[] = [];
  curvatures.forEach((curvature, j) => {
    parts.push(parts[firstLike(j)] ?? coordinateError(model, curvature, units?.[j] ?? 1));
  });
  const length = (squares: readonly number[]): number =>
    Math.sqrt(squares.reduce((total, square) => total + square, 0));
  const each = parts.map(({ spread, left, drawn }) => Math.sqrt(spread + (left + drawn) ** 2));
  return {
    total: length(each.map(error => error ** 2)),
    noise: length(parts.map(({ spread }) => spread)),
    distance: length(parts.map(({ left }) => left ** 2)),
    drawn: length(parts.map(({ drawn }) => drawn ** 2)),
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

function coordinateError(
  {
    stepSize,
    momentum,
    distance,
    variances,
    sharedVariance = 0,
    tail = 1,
    flattening = 1,
    penalty = 0,
  }: DescentModel,
  curvature: number,
  unit: number,
): CoordinateError {
  const coefficients = (keep: number) => [keep * (1 + momentum), -keep * momentum] as const;
  const [a, b] = coefficients(1 - stepSize * curvature);
  const [slowA, slowB] = coefficients(1 - stepSize * curvature * flattening);
  let [mean, before, meanSum] = [distance, distance, 0];
  // Var e_t, Cov(e_t, e_{t-1}), Var e_{t-1}
  let [now, both, last] = [0, 0, 0];
  // Var S, Cov(S, e_t), Cov(S, e_{t-1})
  let [sum, sumNow, sumLast] = [0, 0, 0];
  for (let t = 0; t < variances.length; t++) {
    [mean, before] = [slowA * mean + slowB * before, mean];
    [now, both, last] = [
      a * a * now + 2 * a * b * both + b * b * last + stepSize ** 2 * variances[t]!,
      a * now + b * both,
      now,
    ];
    [sumNow, sumLast] = [a * sumNow + b * sumLast, sumNow];
    if (t < variances.length - tail) continue;
    meanSum += mean;
    [sum, sumNow, sumLast] = [sum + 2 * sumNow + now, sumNow + now, sumLast + both];
  }
  const left = meanSum / tail;
  const spread = sum / tail ** 2 + (sharedVariance / curvature ** 2) * (1 - left / distance) ** 2;
  // Variances that overflow may be infinite with either sign, and their sum NaN.
  if (!Number.isFinite(spread)) return { spread: Infinity, left: Infinity, drawn: 0 };
  const drawn = (penalty / curvature) * (distance - left);
  return { spread: unit ** 2 * spread, left: unit * left, drawn: unit * drawn };
}
