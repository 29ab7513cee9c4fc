/**
 * What a noisy descent should end with, under a stated model of the risk: a quadratic whose Hessian has the given
 * eigenvalues, started at a given distance from its minimum, with independent gradient errors of known variance. Along
 * an eigenvector of eigenvalue c the error e obeys
 *
 *   e_{t+1} = (1 - eta c) (e_t + lambda (e_t - e_{t-1})) - eta (z_t + s),   z_t of variance v_t, s of variance v
 *
 * and its mean and covariance are followed exactly. s is the same in every step: what a full batch, seen again and
 * again, is off by. It moves the minimum by s/c, and of that the descent has gone as much as of its way. Where the last
 * iterates are averaged, the error is that of S/k, with S their sum. Losses that are flatter on the way than where they
 * end have f c for c in the mean: the way is long, while noise is about the end.
 *
 * A penalty g is part of c, and the descent goes to (1 - g/c) of its way: of the answer without a penalty it is short
 * by g/c of what it has gone, beside the steps that it has not taken.
 *
 * A descent may have coordinates of its own, of which one is `unit` of a coefficient: errors of coefficients are as
 * many times those of the coordinates.
 *
 * Edge cases. Steps that are too long move away from the minimum, and after many of them beyond what doubles hold: the
 * error is infinite then, and so are noise and distance.
 *
 *   eta -> stepSize, lambda -> momentum (0 for gradient descent), v_t -> variances, v -> sharedVariance, c -> curvatures, k -> tail, f -> flattening, g -> penalty
 */
export interface DescentModel {
  readonly stepSize: number;
  readonly momentum: number;
  /** One per coordinate. */
  readonly curvatures: readonly number[];
  /** Of a coefficient, what one of each coordinate is; 1 unless given. */
  readonly units?: readonly number[];
  /** The distance at the start, along every coordinate. */
  readonly distance: number;
  /** Of one coordinate of each step's gradient. */
  readonly variances: readonly number[];
  /** Of one coordinate of the error that all steps share; 0 unless given. */
  readonly sharedVariance?: number;
  /** How many of the last iterates are averaged; 1 unless given. */
  readonly tail?: number;
  /** 1 unless given: a quadratic. */
  readonly flattening?: number;
  /** The part of every curvature that draws towards the start; 0 unless given, and for errors about where it draws to. */
  readonly penalty?: number;
}

/** All of it but for how the risk curves. */
export type DescentPath = Omit<DescentModel, 'curvatures' | 'units' | 'penalty'>;

export interface PredictedError {
  /** sqrt(E ||theta_T - theta||^2), of the average where the last iterates are averaged. */
  readonly total: number;
  /** Its part from the gradients' errors, and from stopping after T steps. */
  readonly noise: number;
  readonly distance: number;
  /** And from a penalty, in the same direction: total^2 is noise^2 and, of every coordinate, (distance + drawn)^2. */
  readonly drawn: number;
  /** The total of every coordinate. */
  readonly each: readonly number[];
}

export function predictError(model: DescentModel): PredictedError {
  const { curvatures, units } = model;
  // Many coordinates are alike.
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
 * All but what a penalty adds: whoever asks for one asks for the coefficients that it draws to, which plans should come
 * near to whatever they are.
 */
export const descentError = ({ noise, distance }: Pick<PredictedError, 'noise' | 'distance'>): number =>
  Math.hypot(noise, distance);

/**
 * From which step on the descent moves away from the minimum along a curvature: where (1 - eta c) (1 + 2 lambda) = -1,
 * and a swing to the other side is as long as the one before it.
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
  // Variances that overflow may be infinite with either sign, and their sum no number.
  if (!Number.isFinite(spread)) return { spread: Infinity, left: Infinity, drawn: 0 };
  const drawn = (penalty / curvature) * (distance - left);
  return { spread: unit ** 2 * spread, left: unit * left, drawn: unit * drawn };
}
