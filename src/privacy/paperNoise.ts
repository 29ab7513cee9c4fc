import { refuse, requireInteger, requirePositive, requireProbability } from '../errors.ts';

/**
 * The noise of the paper's algorithms, verbatim: calibration `paper`.
 *
 *   alg:PrivNon-accERM                           sigma^2 = 32 L2^2 T log^2(n/delta) / (n^2 eps^2)
 *   alg:PrivFWERM, theorem Priv_HT_GD_Smooth     sigma^2 = 64 L2^2 T log(5T/(2 delta)) log(2/delta) / (m^2 eps^2)
 *   alg:Priv_SGD                                 sigma^2 = 32 L2^2 log(n/delta) log(1/delta) / eps^2
 *
 *   L2 -> lipschitz, T -> steps, n or m -> rows (all rows for a full batch, n~ for one of T chunks)
 *
 * Guarantee. (eps, delta)-DP under replace-one for 0 < eps <= 0.9. For alg:PrivFWERM and the theorems with it by
 * corollary ADV_COMP_0.9. For alg:PrivNon-accERM that corollary would need log^2(n/delta) >= 2 log(5T/(2 delta))
 * log(2/delta), which fails for n = 1e5, delta = 1e-6 and long runs; exact Gaussian DP proves it instead: T means of
 * sensitivity 2 L2/n with this noise are mu-GDP with mu = 2 eps/(sqrt 32 log(n/delta)), for any T. Each adds more noise
 * than its guarantee requires, and serves to reproduce the paper; the exact calibrations are in `gaussianNoise.ts`.
 * Edge cases. eps > 0.9 is refused: the proofs need eps <= 0.9, whatever theorem ERM_GLM_UP_General says.
 */
export interface PaperNoise {
  readonly lipschitz: number;
  readonly rows: number;
  readonly epsilon: number;
  readonly delta: number;
}

/** The largest epsilon that the paper's noise is for. */
export const LARGEST_PAPER_EPSILON = 0.9;

/** alg:PrivNon-accERM: plain private Frank-Wolfe. */
export function frankWolfeNoise(noise: PaperNoise & { readonly steps: number }): number {
  const { lipschitz, rows, epsilon, delta, steps } = checked(noise);
  return (lipschitz * Math.sqrt(32 * steps) * Math.log(rows / delta)) / (rows * epsilon);
}

/** alg:PrivFWERM (rows = n) and theorems Priv_HT_GD_Smooth and Priv_HT_AGD_Smooth (rows = n~). */
export function composedNoise(noise: PaperNoise & { readonly steps: number }): number {
  const { lipschitz, rows, epsilon, delta, steps } = checked(noise);
  const logs = Math.log((5 * steps) / (2 * delta)) * Math.log(2 / delta);
  return (lipschitz * Math.sqrt(64 * steps * logs)) / (rows * epsilon);
}

/** alg:Priv_SGD: noise on the gradient of a single row. */
export function singleRowNoise(noise: PaperNoise): number {
  const { lipschitz, rows, epsilon, delta } = checked({ ...noise, steps: 1 });
  return (lipschitz * Math.sqrt(32 * Math.log(rows / delta) * Math.log(1 / delta))) / epsilon;
}

function checked<N extends PaperNoise & { readonly steps: number }>(noise: N): N {
  requirePositive('lipschitz', noise.lipschitz);
  requireInteger('rows', noise.rows, 1);
  requireInteger('steps', noise.steps, 1);
  requireProbability('delta', noise.delta);
  if (!(noise.epsilon > 0 && noise.epsilon <= LARGEST_PAPER_EPSILON)) {
    refuse(
      'epsilon',
      `be in (0, ${LARGEST_PAPER_EPSILON}] for \`calibration: 'paper'\``,
      noise.epsilon,
      "use `calibration: 'exact'` or `calibration: 'parallel'`",
    );
  }
  return noise;
}
