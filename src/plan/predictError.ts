/**
 * What a noisy descent should end with, under a stated model of the risk: a quadratic whose Hessian has the given eigenvalues, started at a given distance from
 * its minimum, with independent gradient errors of known variance. Along an eigenvector of eigenvalue c the error e obeys
 *
 *   e_{t+1} = (1 - eta c) (e_t + lambda (e_t - e_{t-1})) - eta (z_t + s),   z_t of variance v_t, s of variance v
 *
 * and its mean and covariance are followed exactly. s is the same in every step: what a full batch, seen again and again, is off by. It moves the minimum by s/c, and
 * of that the descent has gone as much as of its way.
 *
 *   eta -> stepSize, lambda -> momentum (0 for gradient descent), v_t -> variances, v -> sharedVariance, c -> curvatures
 */
export interface DescentModel {
  readonly stepSize: number;
  readonly momentum: number;
  /** One per coordinate. */
  readonly curvatures: readonly number[];
  /** The distance at the start, along every coordinate. */
  readonly distance: number;
  /** Of one coordinate of each step's gradient. */
  readonly variances: readonly number[];
  /** Of one coordinate of the error that all steps share; 0 unless given. */
  readonly sharedVariance?: number;
}

export interface PredictedError {
  /** sqrt(E ||theta_T - theta||^2). */
  readonly total: number;
  /** Its part from the gradients' errors, and from stopping after T steps. */
  readonly noise: number;
  readonly distance: number;
  /** sqrt(E e_T^2) of every coordinate. */
  readonly each: readonly number[];
}

export function predictError({
  stepSize,
  momentum,
  curvatures,
  distance,
  variances,
  sharedVariance = 0,
}: DescentModel): PredictedError {
  let [noise, bias] = [0, 0];
  const each: number[] = [];
  for (const curvature of curvatures) {
    const keep = 1 - stepSize * curvature;
    const [a, b] = [keep * (1 + momentum), -keep * momentum];
    let [mean, before] = [distance, distance];
    // Var e_t, Cov(e_t, e_{t-1}), Var e_{t-1}
    let [now, both, last] = [0, 0, 0];
    for (const variance of variances) {
      [mean, before] = [a * mean + b * before, mean];
      [now, both, last] = [
        a * a * now + 2 * a * b * both + b * b * last + stepSize ** 2 * variance,
        a * now + b * both,
        now,
      ];
    }
    const spread = now + (sharedVariance / curvature ** 2) * (1 - mean / distance) ** 2;
    each.push(Math.sqrt(spread + mean ** 2));
    noise += spread;
    bias += mean ** 2;
  }
  return { total: Math.sqrt(noise + bias), noise: Math.sqrt(noise), distance: Math.sqrt(bias), each };
}
