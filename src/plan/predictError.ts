/**
 * What a noisy descent should end with, under a stated model of the risk: a quadratic whose Hessian has the given eigenvalues, started at a given distance from
 * its minimum, with independent gradient errors of known variance. Along an eigenvector of eigenvalue c the error e obeys
 *
 *   e_{t+1} = (1 - eta c) (e_t + lambda (e_t - e_{t-1})) - eta z_t,   z_t of variance v_t
 *
 * and its mean and covariance are followed exactly.
 *
 *   eta -> stepSize, lambda -> momentum (0 for gradient descent), v_t -> variances, c -> curvatures
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
}

export interface PredictedError {
  /** sqrt(E ||theta_T - theta||^2). */
  readonly total: number;
  /** Its part from the gradients' errors, and from stopping after T steps. */
  readonly noise: number;
  readonly distance: number;
}

export function predictError({
  stepSize,
  momentum,
  curvatures,
  distance,
  variances,
}: DescentModel): PredictedError {
  let [noise, bias] = [0, 0];
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
    noise += now;
    bias += mean ** 2;
  }
  return { total: Math.sqrt(noise + bias), noise: Math.sqrt(noise), distance: Math.sqrt(bias) };
}
