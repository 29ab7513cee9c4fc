import { requireInteger, requireNonNegative } from '../../errors.ts';

/**
 * What is declared, never measured, about the rows and the parameter: the set over which a loss states its Lipschitz
 * constant and smoothness. An undeclared bound is infinite.
 *
 *   p -> features, L_x -> norm (||x||_2), ||x||_inf -> max, K_y -> target (|y|), D -> radius (||theta||_2)
 */
export interface Domain {
  readonly features: number;
  readonly norm: number;
  readonly max: number;
  readonly target: number;
  readonly radius: number;
}

/** Adds the bounds implied by the others: ||x||_2 <= sqrt(p) ||x||_inf and ||x||_inf <= ||x||_2. */
export function domain(bounds: {
  features: number;
  norm?: number;
  max?: number;
  target?: number;
  radius?: number;
}): Domain {
  const features = requireInteger('features', bounds.features, 1);
  const declaredNorm = declared('norm', bounds.norm);
  const declaredMax = declared('max', bounds.max);
  return Object.freeze({
    features,
    norm: Math.min(declaredNorm, Math.sqrt(features) * declaredMax),
    max: Math.min(declaredMax, declaredNorm),
    target: declared('target', bounds.target),
    radius: declared('radius', bounds.radius),
  });
}

const declared = (name: string, bound: number | undefined): number =>
  bound === undefined || bound === Infinity ? Infinity : requireNonNegative(name, bound);

/** The product of two bounds: 0 if either is 0, even if the other is undeclared (infinite). */
export const times = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : a * b);

/** The largest |x.theta| on the domain, L_x D. */
export const scoreBound = (domain: Domain): number => times(domain.norm, domain.radius);
