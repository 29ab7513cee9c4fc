import {
  ArgumentError,
  refuse,
  requireInteger,
  requireNonNegative,
  requirePositive,
  requireProbability,
} from '../errors.ts';
import { counted } from '../words.ts';
import type { RowSet } from './event.ts';
import { muFor } from './gaussianDp.ts';
import type { Budget } from './gaussianNoise.ts';
import type { Release } from './mechanism.ts';

/** Beyond this e^-epsilon has no digits left. */
const LARGEST_EPSILON = 600;

/** The most that any mechanism may lose, so that epsilon is accurate to six digits. */
export const LARGEST_SLACK = 1e-6;

/**
 * The calibration of integer noise: gradients rounded to a grid, summed in integers, and noised by a discrete
 * Gaussian N_Z(0, s^2). It leaks nothing through floating point, and its sums do not depend on their order.
 *
 *   m = p k K;   beta = 1e-9 delta e^-eps;   R = s (sqrt m + sqrt(2 ln 1/beta)) + sqrt(m)/2
 *   e_p = m / (24 s^2);   eta = e_p + R^2 / (24 s^4);   delta0 = delta e^-e_p - e^(eps - eta) beta
 *   mu = mu*(eps - eta, delta0);   B2 = floor(s^2 mu^2 / (4 k c K));   gamma = L2 / sqrt(B2)
 *
 *   p -> features, k -> touches (steps that one record enters), K -> group (records that one unit may have), s -> scale,
 *   c -> perChunk (records of a unit in one release; K unless given), B2 -> squaredNorm, gamma -> grid, eta -> slack
 *
 * Guarantee. With every record's integer gradient of squared norm at most B2, replace-one adjacency: exactly
 * rho = k (2 sqrt(B2))^2 / (2 s^2) zCDP, and (eps, delta)-DP, because N_Z(0, s^2) and a rounded Gaussian differ per
 * coordinate by a log ratio in [-x^2 / (24 s^4), 1 / (24 s^2)], which `slack` takes out of the budget. With K records
 * per unit the same holds for units: their k_i records in chunk i move its sum by 2 k_i sqrt(B2), and sum k_i^2 <= K^2
 * however they are distributed; where no chunk has more than c of them, sum k_i^2 <= c K. A unit whose rows are replaced
 * in place may be counted in other chunks than before: a rows out of and b rows into a chunk move its sum by at most
 * sqrt(2 B2 (a^2 + b^2)), and both squares add up to at most c K; `perChunk` doubles the m of the slack for that. `noiseOfSum` asks for more noise than that requires, as a standard
 * deviation in the gradients' units.
 * Edge cases. A budget that the slack exceeds, and a squared norm outside 1 to 2^52, are refused. The caller, who knows
 * the number of rows, must check that the sums of all rows stay below 2^53.
 */
export interface IntegerNoise {
  /** Standard deviation s of the discrete Gaussian, in grid units. */
  readonly scale: number;
  /** The largest squared norm of one record's integer gradient. */
  readonly squaredNorm: number;
  /** The mu of the whole run, after the slack. */
  readonly mu: number;
  /** The epsilon that discreteness costs, already taken out of the budget. */
  readonly slack: number;
  /** The grid step, for gradients of norm at most `lipschitz`. */
  readonly grid: number;
  /** The most records a unit may have. */
  readonly group: number;
  /** The most records of a unit that one release has; `group` unless given. */
  readonly perChunk?: number;
}

/** How many times the mu of one record a whole unit costs: sqrt(c K). */
export const unitFactor = ({ group, perChunk = group }: Pick<IntegerNoise, 'group' | 'perChunk'>): number =>
  Math.sqrt(perChunk * group);

/**
 * The discrete Gaussian noise for (epsilon, delta) over `touches` steps; see `IntegerNoise` for formula and
 * guarantee.
 */
export function integerNoise({
  lipschitz,
  features,
  touches,
  epsilon,
  delta,
  group = 1,
  perChunk,
  noiseOfSum = 0,
  scale = 2 ** 20,
}: Budget & {
  readonly lipschitz: number;
  readonly features: number;
  readonly touches: number;
  readonly group?: number;
  readonly perChunk?: number;
  readonly noiseOfSum?: number;
  readonly scale?: number;
}): IntegerNoise {
  requirePositive('lipschitz', lipschitz);
  requirePositive('epsilon', epsilon);
  requireProbability('delta', delta);
  requireInteger('scale', scale, 1);
  requireInteger('group', group, 1);
  if (perChunk !== undefined) requireInteger('perChunk', perChunk, 1, group);
  requireNonNegative('noiseOfSum', noiseOfSum);
  if (epsilon > LARGEST_EPSILON) {
    refuse('epsilon', `be at most ${LARGEST_EPSILON}`, epsilon, 'use a smaller one: even 20 protects almost nothing');
  }
  const moved = perChunk === undefined || group === 1 ? group : 2 * group;
  const m = requireInteger('features', features, 1) * requireInteger('touches', touches, 1) * moved;
  const beta = 1e-9 * delta * Math.exp(-epsilon);
  const reach = scale * (Math.sqrt(m) + Math.sqrt(-2 * Math.log(beta))) + Math.sqrt(m) / 2;
  const perPoint = m / (24 * scale ** 2);
  const slack = perPoint + reach ** 2 / (24 * scale ** 4);
  const remainingDelta = delta * Math.exp(-perPoint) - Math.exp(epsilon - slack) * beta;
  if (slack >= epsilon || remainingDelta <= 0) {
    throw new ArgumentError(
      `epsilon ${epsilon} and delta ${delta} are used up by rounding at scale ${scale} (slack ${slack}); use a larger epsilon and delta, or a larger scale`,
      'ERR_BUDGET',
      { epsilon, delta },
    );
  }
  const most = muFor(epsilon - slack, remainingDelta);
  const allowed = (scale ** 2 * most ** 2) / (4 * touches * (perChunk ?? group) * group);
  const squaredNorm = Math.floor(Math.min(allowed, ((lipschitz * scale) / noiseOfSum) ** 2));
  const mu = most * Math.min(1, Math.sqrt(squaredNorm / Math.floor(allowed)));
  if (squaredNorm < 1 || squaredNorm > 2 ** 52) {
    throw new ArgumentError(
      squaredNorm < 1
        ? `epsilon ${epsilon} over ${counted(touches, 'step')} and ${counted(group, 'row')} per unit leaves a row less than one grid step at scale ${scale}; use a larger epsilon, or fewer steps or rows per unit`
        : `scale ${scale} gives a squared norm bound of ${squaredNorm}, beyond 2^52; use a smaller scale`,
      'ERR_BUDGET',
      { epsilon, scale },
    );
  }
  const grid = lipschitz / Math.sqrt(squaredNorm);
  return Object.freeze({ scale, squaredNorm, mu, slack, grid, group, ...(perChunk !== undefined && { perChunk }) });
}

/**
 * The release of block means of m rows under integer noise:
 *
 *   sensitivity = 2 K sqrt(B2) gamma / m = 2 K L2 / m,   sigma = s gamma / m
 *
 *   m -> rowsPerBlock, s -> scale, B2 -> squaredNorm, gamma -> grid, K -> group
 *
 * Where a release has at most c records of a unit, sqrt(c K) takes the place of K: what one release would have to move
 * by for all of a unit's releases to cost what they do together.
 *
 * A plan that takes its releases from here agrees with the mechanism that will carry them out.
 */
export function integerRelease(
  noise: IntegerNoise,
  { chunk, rowsPerBlock }: { readonly chunk: RowSet; readonly rowsPerBlock: number },
): Release {
  const { scale, squaredNorm, grid } = noise;
  const unit = grid / requireInteger('rowsPerBlock', rowsPerBlock, 1);
  return Object.freeze({
    chunk,
    sensitivity: 2 * unitFactor(noise) * Math.sqrt(squaredNorm) * unit,
    sigma: scale * unit,
  });
}
