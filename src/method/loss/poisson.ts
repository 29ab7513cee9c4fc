import { refuse, requireKnown, requirePositive } from '../../errors.ts';
import { type Domain, scoreBound } from './domain.ts';
import { type Glm, glm } from './glm.ts';

/**
 * Poisson regression of counts y >= 0. The paper requires of a generalized linear model that Phi' and Phi''
 * be bounded, which e^s is not; so above a score B, Phi continues as its tangent:
 *
 *   Phi(s) = e^s for s <= B,   e^B (1 + s - B) above;   K_Phi' = K_Phi'' = e^min(B, L_x D)
 *
 *   B -> largestScore, L_x D -> scoreBound(domain)
 *
 * Phi stays convex and continuously differentiable, and no rate exceeds e^B. Neither counts nor rates are
 * negative, so L2 = max(K_Phi', K_y) L_x. Phi'' is not even, so the paper's theorems do not apply.
 *
 * @example
 * poisson().slope(0, 3); // -2
 */
export function poisson(options: { readonly largestScore?: number } = {}): Glm {
  requireKnown(options, 'largestScore');
  const { largestScore = 30 } = options;
  if (requirePositive('largestScore', largestScore) > highest) {
    refuse('largestScore', `be at most ${highest}`, largestScore);
  }
  const rate = (score: number) => Math.exp(Math.min(score, largestScore));
  const rateBound = (domain: Domain) => rate(scoreBound(domain));
  return glm({
    name: `poisson(${largestScore})`,
    targets: { least: 0, most: Infinity },
    cumulant: score => rate(score) * (1 + Math.max(score - largestScore, 0)),
    mean: rate,
    variance: score => (score > largestScore ? 0 : rate(score)),
    meanBound: rateBound,
    varianceBound: rateBound,
  });
}

/** e^709 is about the largest double; the tangent needs some headroom. */
const highest = 700;
