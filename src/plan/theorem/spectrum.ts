import { refuse, requireVector } from '../../errors.ts';
import { norm, type Vector } from '../../math/vector.ts';

/**
 * A singular covariance Sigma = P S P' and a truth seen along its axes, as the theorems for lambda_min = 0 need them.
 *
 *   S -> eigenvalues, P'theta* -> truth, S_mm -> smallestPositive, c_K = ||[P'theta*]_{m+1:p}|| -> hiddenNorm,
 *   ||[P'theta*]_{1:m}|| -> visibleNorm, ||(Sigma + g I)^-1 Sigma theta*|| -> shrunkenNorm(g)
 */
export interface Spectrum {
  readonly eigenvalues: Vector;
  readonly truth: Vector;
}

export interface SpectrumSummary {
  readonly largest: number;
  readonly smallestPositive: number;
  readonly visibleNorm: number;
  readonly hiddenNorm: number;
  shrunkenNorm(penalty: number): number;
}

export function summarizeSpectrum({ eigenvalues, truth }: Spectrum): SpectrumSummary {
  requireVector('eigenvalues', eigenvalues);
  requireVector('truth', truth, eigenvalues.length);
  eigenvalues.forEach((value, j) => {
    if (value < 0) refuse(`eigenvalues[${j}]`, 'be at least 0', value);
  });
  const positive = eigenvalues.filter(value => value > 0);
  if (positive.length === 0) refuse('eigenvalues', 'hold a positive value', eigenvalues);
  return {
    largest: Math.max(...positive),
    smallestPositive: Math.min(...positive),
    visibleNorm: norm(truth.filter((_, j) => eigenvalues[j]! > 0)),
    hiddenNorm: norm(truth.filter((_, j) => eigenvalues[j] === 0)),
    shrunkenNorm: penalty =>
      norm(
        truth.map((value, j) => (eigenvalues[j]! === 0 ? 0 : (eigenvalues[j]! / (eigenvalues[j]! + penalty)) * value)),
      ),
  };
}

/** The theorems for lambda_min = 0 are about covariances that have a 0 among their eigenvalues. */
export function requireSingular(eigenvalues: Vector): void {
  requireVector('eigenvalues', eigenvalues);
  if (!eigenvalues.includes(0))
    refuse('eigenvalues', 'hold a 0', eigenvalues, 'use theorem HT_Ridge_min>0 or HT_NonAccFW');
}
