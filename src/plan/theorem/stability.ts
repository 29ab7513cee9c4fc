import { refuse } from '../../errors.ts';
import type { NoisyTarget } from './bound.ts';
import type { HeavyTailed } from './medianChunks.ts';
import { type Condition, forClaim, type Numbers, required, requireNumbers } from './prescription.ts';

/**
 * When a gradient estimator with ||g - gradient|| <= alpha ||theta - theta*|| + beta is steady enough for Nesterov's
 * method (theorem AGD), on a risk with condition number x = tau_u/tau_l in (1, 1.76):
 *
 *   f1(x) < alpha/tau_l < f2(x)
 *   f1(x) = ((x + 1) sqrt(1 - 1/sqrt x) - x + 1) / 2
 *   f2(x) = (1 - 2 (x - 1) m) / (2 (1 + 2 m)),   m = (sqrt x - 1)/(sqrt x + 1)
 *
 * Only f2 concerns stability; f1 bounds n~ from above. The proof needs it for R = O(alpha^2), and with it for the claim
 * to be faster than gradient descent.
 */
export const fasterFrom = (x: number): number => ((x + 1) * Math.sqrt(1 - 1 / Math.sqrt(x)) - x + 1) / 2;

export function stableUpTo(x: number): number {
  const momentum = (Math.sqrt(x) - 1) / (Math.sqrt(x) + 1);
  return (1 - 2 * (x - 1) * momentum) / (2 * (1 + 2 * momentum));
}

/** The root of f1 = f2 is 1.76759...; the paper's statements say 1.76. */
export const LARGEST_CONDITION_NUMBER = 1.76;

/** The conditions of theorem AGD on tau_u/tau_l and on the estimator's alpha. */
export function nesterovConditions(smoothness: number, strongConvexity: number, alpha: number): readonly Condition[] {
  const x = smoothness / strongConvexity;
  const ratio = alpha / strongConvexity;
  const [f1, f2] = [fasterFrom(x), stableUpTo(x)];
  return [
    required('1 < tau_u/tau_l < 1.76', x > 1 && x < LARGEST_CONDITION_NUMBER, { 'tau_u/tau_l': x }),
    required('alpha/tau_l < f2', ratio < f2, { 'alpha/tau_l': ratio, f2 }),
    forClaim('f1 < alpha/tau_l', ratio > f1, { 'alpha/tau_l': ratio, f1 }),
  ];
}

/** lambda = (sqrt tau_u - sqrt tau_l)/(sqrt tau_u + sqrt tau_l) */
export const constantMomentum = (smoothness: number, strongConvexity: number): number =>
  (Math.sqrt(smoothness) - Math.sqrt(strongConvexity)) / (Math.sqrt(smoothness) + Math.sqrt(strongConvexity));

/** rho = sqrt(1 - sqrt(tau_l/tau_u)): how much a step of Nesterov's method shrinks ||theta - theta*||. */
export const nesterovContraction = (smoothness: number, strongConvexity: number): number =>
  Math.sqrt(1 - Math.sqrt(strongConvexity / smoothness));

/** A linear model with known curvature: tau_u -> smoothness, tau_l -> strongConvexity, C1 -> concentration. */
export interface StronglyConvex
  extends HeavyTailed,
    NoisyTarget,
    Numbers<'features' | 'smoothness' | 'strongConvexity'> {
  readonly concentration?: number;
  /** ||theta_0 - theta*||; sqrt p unless given, as table 2 has it. */
  readonly startDistance?: number;
}

/** Of Nesterov's theorems. */
export interface FromTwoPoints {
  /** R(theta_0) - R(theta*); tau_u/2 ||theta_0 - theta*||^2 unless given, which it cannot exceed. */
  readonly startRisk?: number;
  /** C3 of ||theta_t - theta*|| <= C3 alpha + ...; 1 unless given. */
  readonly iterateConstant?: number;
}

type Assumed = Required<Pick<StronglyConvex, 'concentration' | 'noise' | 'claimConstant' | 'startDistance'>>;

export function checkStronglyConvex<P extends Omit<StronglyConvex, 'mode'>>(problem: P): P & Assumed {
  const { rows, features, smoothness, strongConvexity, concentration = 1, noise = 1, claimConstant = 1 } = problem;
  requireNumbers({ rows, features, smoothness, strongConvexity, concentration, noise, claimConstant });
  const { startDistance = Math.sqrt(features) } = problem;
  requireNumbers({ startDistance });
  if (strongConvexity > smoothness)
    refuse('strongConvexity', `be at most the smoothness ${smoothness}`, strongConvexity);
  return { ...problem, concentration, noise, claimConstant, startDistance };
}
