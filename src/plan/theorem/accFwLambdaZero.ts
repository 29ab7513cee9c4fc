import { refuse, requirePositive } from '../../errors.ts';
import { accelerated } from './accelerated.ts';
import { type HeavyTailed, medianChunks } from './medianChunks.ts';
import { type Numbers, type Prescription, prescription, required } from './prescription.ts';
import { type Spectrum, summarizeSpectrum } from './spectrum.ts';

/**
 * Theorem ACCFW_lambda=0: accelerated Frank-Wolfe on T chunks with G_MOM, ridge, lambda_min = 0.
 *
 *   gamma in [c_K/4, c_K/2], ||(Sigma + C1 c_K I)^-1 Sigma theta*|| <= K <= ||(Sigma + c_K I)^-1 Sigma theta*||
 *   u = gamma S_mm^2 ||[P'theta*]_{1:m}|| c_K / (2 (S_mm + c_K)^3)
 *   eta = min{1, u/(4 K (lambda_max + gamma))}, T = log_{1/c}(n) ~ log(n)/c_K^2
 *
 *   K -> radius (its upper end unless given), gamma -> penalty (c_K/2 unless given), u -> gradientFloor (at its upper end),
 *   C1 -> innerFactor; see spectrum.ts for the rest
 */
export function accFwLambdaZero({
  eigenvalues,
  truth,
  radius: givenRadius,
  penalty: givenPenalty,
  innerFactor = 2,
  ...problem
}: HeavyTailed & Spectrum & Partial<Numbers<'radius' | 'penalty' | 'innerFactor'>>): Prescription {
  const { largest, smallestPositive, visibleNorm, hiddenNorm, shrunkenNorm } = summarizeSpectrum({
    eigenvalues,
    truth,
  });
  if (hiddenNorm === 0) {
    refuse('truth', 'have a part where the covariance is 0', truth, 'use theorem HT_Ridge_min>0 or ACCFWROB');
  }
  if (!(innerFactor > 1 && innerFactor < Infinity)) refuse('innerFactor', 'be a finite number above 1', innerFactor);
  const penalty = requirePositive('penalty', givenPenalty ?? hiddenNorm / 2);
  const [inner, outer] = [shrunkenNorm(innerFactor * hiddenNorm), shrunkenNorm(hiddenNorm)];
  const radius = requirePositive('radius', givenRadius ?? outer);
  const gradientFloor =
    (penalty * smallestPositive ** 2 * visibleNorm * hiddenNorm) / (2 * (smallestPositive + hiddenNorm) ** 3);
  const fast = accelerated({ radius, gradientFloor, smoothness: largest + penalty, shrinkage: problem.rows });
  const { run, enoughRows } = medianChunks(problem, fast.steps);
  return prescription({
    theorem: 'ACCFW_lambda=0',
    ...fast,
    ...run,
    penalty,
    claim: { quantity: 'parameter', rate: 'n^(-1/4) c_K^(-1/4) + c_K + c_K^(1/2)', exponent: -1 / 4 },
    conditions: [
      enoughRows,
      required('c_K/4 <= gamma <= c_K/2', penalty >= hiddenNorm / 4 && penalty <= hiddenNorm / 2, {
        gamma: penalty,
        c_K: hiddenNorm,
      }),
      required(
        '||(Sigma + C1 c_K I)^-1 Sigma theta*|| <= K <= ||(Sigma + c_K I)^-1 Sigma theta*||',
        radius >= inner && radius <= outer,
        { K: radius, inner, outer },
      ),
    ],
  });
}
