import { refuse, requireInteger, requirePositive } from '../errors.ts';
import { logDelta, muFor } from './gaussianDp.ts';

/** A guarantee: (epsilon, delta)-differential privacy. */
export interface Budget {
  /** No outcome gets more than e^epsilon times as likely by replacing one row, `delta` aside; above 0. */
  readonly epsilon: number;
  /** What is added to the probabilities that are compared: above 0, and well below 1 / rows. */
  readonly delta: number;
}

/** How far one replaced record can move a mean over `rows` records whose gradients have norm at most `lipschitz`. */
export const meanSensitivity = (lipschitz: number, rows: number): number =>
  (2 * requirePositive('lipschitz', lipschitz)) / requireInteger('rows', rows, 1);

/**
 * The least Gaussian noise for a guarantee: sigma = sensitivity * sqrt(touches) / mu*(eps, delta), where
 * `touches` counts the noised quantities that one record enters.
 *
 *   exact     T steps over the same rows: a record enters all T.
 *   parallel  T disjoint chunks: a record enters one. Everything before its step has the same law under both
 *             data sets, and everything after is computed from released values and unchanged rows, so the whole
 *             run has the guarantee of one step, whatever T is.
 *   epochs    E passes over the same chunks: a record enters E.
 *   blocks    noise on each block's mean, before a geometric median: a record enters one block of its chunk, so the
 *             blocks cost nothing extra; but a block has m = n~/b rows where the chunk has n~.
 *
 *   L2 -> lipschitz, n~ or m -> rows; a mean of `rows` gradients has sensitivity 2 L2 / rows
 *
 * Guarantee. (eps, delta)-DP, exactly, under replace-one, with rows, steps and lipschitz fixed without looking at the
 * data.
 * Edge cases. touches = 0 would need no noise and is refused: a quantity that no record enters is not a release.
 *
 * The standard deviation per coordinate for a mean over `rows` records, each of which enters `touches` such means.
 */
export function gaussianNoise({
  lipschitz,
  rows,
  touches,
  epsilon,
  delta,
}: Budget & { readonly lipschitz: number; readonly rows: number; readonly touches: number }): number {
  requireInteger('touches', touches, 1);
  return (meanSensitivity(lipschitz, rows) * Math.sqrt(touches)) / muFor(epsilon, delta);
}

/** The relative difference allowed between two computations of the same mu. */
const ROUNDING = 1e-9;

/**
 * Refuses an (epsilon, delta) that a mu does not keep: delta_mu(epsilon) <= delta must hold, up to rounding of mu. A
 * smaller mu is allowed, because more noise than a statement needs keeps it too, as the paper's does.
 */
export function requireKept(name: string, mu: number, { epsilon, delta }: Budget): void {
  if (logDelta(mu * (1 - ROUNDING), epsilon) <= Math.log(delta)) return;
  refuse(
    `${name}.mu`,
    `be at most ${muFor(epsilon, delta)}, of which epsilon ${epsilon} at delta ${delta} is true`,
    mu,
    'state the epsilon and delta that the noise was calibrated to',
    'ERR_NOT_PRIVATE',
  );
}
