/** How far gradient estimators are from the risk's gradient: alpha and beta of definition ge, and what they rest on. */
import { refuse, requireNonNegative } from '../../../errors.ts';
import { blockCount } from '../../../method/aggregate/blockCount.ts';
import { type Numbers, requireNumbers } from '../prescription.ts';

export interface GradientError {
  readonly alpha: number;
  readonly beta: number;
}

/**
 * Lemma htlemma: G_MOM's error on n rows, with a probability of at least 1 - zeta.
 *
 *   ||estimate - gradient|| <= 11 sqrt(tr Cov log(1.4/zeta)/n),   b <= n/2
 *
 *   tr Cov -> totalVariance (of a row's gradient), zeta -> failureProbability, n -> rows
 */
export function medianOfMeansError({
  totalVariance,
  failureProbability,
  rows,
}: Numbers<'totalVariance' | 'failureProbability' | 'rows'>): number {
  requireNonNegative('totalVariance', totalVariance);
  requireNumbers({ failureProbability, rows });
  const blocks = blockCount(failureProbability);
  if (rows < 2 * blocks) refuse('rows', `be at least 2b = ${2 * blocks}`, rows);
  return 11 * Math.sqrt((totalVariance * Math.log(1.4 / failureProbability)) / rows);
}

type Chunk = Numbers<'chunkRows' | 'stepFailure'> & {
  /** sigma_2, the standard deviation of the noise; 1 unless given. */
  readonly noise?: number;
  /** The constants C of alpha and beta, which the paper leaves open; 1 unless given. */
  readonly concentration?: number;
};

/**
 * Lemma geglmht: G_MOM in the linear model.
 *
 *   alpha = C sqrt(p log(1/zeta~)/n~), beta = C sigma_2 sqrt(p log(1/zeta~)/n~)
 *
 *   p -> features, n~ -> chunkRows, zeta~ -> stepFailure, sigma_2 -> noise, C -> concentration
 */
export function linearGradientError({
  features,
  chunkRows,
  stepFailure,
  noise = 1,
  concentration = 1,
}: Chunk & Numbers<'features'>): GradientError {
  requireNumbers({ features, chunkRows, stepFailure, noise, concentration });
  const alpha = concentration * Math.sqrt((features * Math.log(1 / stepFailure)) / chunkRows);
  return { alpha, beta: noise * alpha };
}

/**
 * Lemma geri: G_MOM for ridge, p of order 1.
 *
 *   alpha = C sqrt(log(1/zeta~)/n~), beta = C sqrt((sigma_2^2 + gamma^2/(lambda_min + gamma)^2) log(1/zeta~)/n~)
 *
 *   gamma -> penalty, lambda_min -> smallestEigenvalue (0 where Sigma is singular); see `linearGradientError`
 */
export function ridgeGradientError({
  chunkRows,
  stepFailure,
  penalty,
  smallestEigenvalue,
  noise = 1,
  concentration = 1,
}: Chunk & Numbers<'penalty' | 'smallestEigenvalue'>): GradientError {
  requireNumbers({ chunkRows, stepFailure, penalty, noise, concentration });
  requireNonNegative('smallestEigenvalue', smallestEigenvalue);
  const alpha = concentration * Math.sqrt(Math.log(1 / stepFailure) / chunkRows);
  const bias = penalty / (smallestEigenvalue + penalty);
  return { alpha, beta: alpha * Math.sqrt(noise ** 2 + bias ** 2) };
}

/**
 * Lemmas cov_ri and covglm: the norm of the covariance of a row's gradient, up to a constant. Without a penalty it is
 * covglm, whose conditions (eq. add_x) are stated and not checked: as printed even N(0, I) violates them at k = j, i = l.
 *
 *   ||Cov|| <~ sigma_2^2 + ||theta - theta_*||^2 + gamma^2/(lambda_min + gamma)^2
 */
export function gradientCovariance({
  distance,
  noise = 1,
  penalty = 0,
  smallestEigenvalue = 0,
}: {
  readonly distance: number;
  readonly noise?: number;
  readonly penalty?: number;
  readonly smallestEigenvalue?: number;
}): number {
  for (const [name, value] of Object.entries({ distance, noise, penalty, smallestEigenvalue }))
    requireNonNegative(name, value);
  const bias = penalty === 0 ? 0 : penalty / (smallestEigenvalue + penalty);
  return noise ** 2 + distance ** 2 + bias ** 2;
}

/**
 * Lemmas 5 and geglmhb: the Huber gradient estimator in the linear model with a share eps of arbitrary rows.
 *
 *   gamma = (p log p log(n~/(p zeta~))/n~)^(3/8) + (eps p^2 log p log(p log p/zeta~)/n~)^(1/4)
 *   alpha = C1 (sqrt eps + gamma) sqrt(log p), beta = C2 (sqrt eps + gamma) sigma_2 sqrt(log p)
 *
 *   eps -> contamination, C1 and C2 -> concentration
 */
export function huberGradientError({
  features: p,
  chunkRows: n,
  stepFailure: zeta,
  contamination,
  noise = 1,
  concentration = 1,
}: Chunk & Numbers<'features' | 'contamination'>): GradientError {
  requireNumbers({ features: p, chunkRows: n, stepFailure: zeta, contamination, noise, concentration });
  const sampling = ((p * Math.log(p) * Math.max(0, Math.log(n / (p * zeta)))) / n) ** (3 / 8);
  const outliers = ((contamination * p ** 2 * Math.log(p) * Math.log((p * Math.log(p)) / zeta)) / n) ** (1 / 4);
  const alpha = concentration * (Math.sqrt(contamination) + sampling + outliers) * Math.sqrt(Math.log(p));
  return { alpha, beta: noise * alpha };
}

/**
 * Lemma Avg_Grad_Priv_GD_vs_AGD: the error of a private mean over R^p, with a probability of at least 1 - zeta.
 *
 *   sqrt(32 L2^2 log(4/zeta)/n) + 8 L2 sqrt(8 p T log(8/zeta) log(5T/(2 delta)) log(2/delta))/(n eps),   n > 8 log(4/zeta)
 *
 *   L2 -> lipschitz, T -> steps, n -> rows, p -> features
 */
export function privateGradientError({
  lipschitz,
  features,
  rows,
  steps,
  failureProbability: zeta,
  epsilon,
  delta,
}: Numbers<'lipschitz' | 'features' | 'rows' | 'steps' | 'failureProbability' | 'epsilon' | 'delta'>): number {
  requireNumbers({ lipschitz, features, rows, steps, failureProbability: zeta, epsilon, delta });
  const least = 8 * Math.log(4 / zeta);
  if (!(rows > least)) refuse('rows', `be above 8 log(4/zeta) = ${least}`, rows);
  const most = 2 * Math.sqrt(2 * steps * Math.log(2 / delta));
  if (!(epsilon < most)) refuse('epsilon', `be below 2 sqrt(2T log(2/delta)) = ${most}`, epsilon);
  const logs = Math.log(8 / zeta) * Math.log((5 * steps) / (2 * delta)) * Math.log(2 / delta);
  return (
    Math.sqrt((32 * lipschitz ** 2 * Math.log(4 / zeta)) / rows) +
    (8 * lipschitz * Math.sqrt(8 * features * steps * logs)) / (rows * epsilon)
  );
}
