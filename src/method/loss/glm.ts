import { refuse, requireFunction, requirePositive } from '../../errors.ts';
import { type Domain, times } from './domain.ts';
import { anyTarget, type Loss } from './loss.ts';
import type { NamedLoss } from './lossByName.ts';

/**
 * Negative log-likelihood of a generalized linear model (section "Generalized Linear Models",
 * theorem ERM_GLM_UP_General):
 *
 *   value = Phi(s) - y s,   slope = Phi'(s) - y,   L2 = (K_Phi' + K_y) L_x,   smoothness = K_Phi'' L_x^2
 *
 *   s -> score, y -> target, L_x -> domain.norm, K_y -> domain.target or the largest of `targets`
 *   Phi -> cumulant, Phi' -> mean, Phi'' -> variance, K_Phi' -> meanBound, K_Phi'' -> varianceBound
 *
 * If neither targets nor means are negative, |Phi' - y| <= max(K_Phi', K_y), and L2 is that times L_x.
 * The paper's theorems require more than a convex Phi: Phi'' is positive, even, and non-increasing on [0, inf).
 */
export interface Glm extends Loss {
  cumulant(score: number): number;
  mean(score: number): number;
  variance(score: number): number;
  /** An upper bound of |mean| over the domain. */
  meanBound(domain: Domain): number;
  /** An upper bound of the variance over the domain. */
  varianceBound(domain: Domain): number;
}

/** A bound given as a number holds for every score. */
export interface GlmParts extends Pick<Glm, 'name' | 'cumulant' | 'mean' | 'variance'> {
  readonly targets?: Loss['targets'];
  readonly meanBound: number | Glm['meanBound'];
  readonly varianceBound: number | Glm['varianceBound'];
}

/**
 * A generalized linear model from its cumulant function Phi, Phi' and Phi'', as a loss; see `Glm` for the formulas.
 */
export function glm(parts: GlmParts): Glm {
  const { name, targets: { least, most } = anyTarget } = parts;
  const cumulant = requireFunction('cumulant', parts.cumulant);
  const mean = requireFunction('mean', parts.mean);
  const variance = requireFunction('variance', parts.variance);
  const meanBound = bound('meanBound', parts.meanBound);
  const varianceBound = bound('varianceBound', parts.varianceBound);
  if (!(least < most)) refuse('targets.least', `be below targets.most = ${most}`, least);
  const largestTarget = Math.max(-least, most);
  // Phi is convex, so its derivative, the mean, has its infimum at -infinity.
  const noneNegative = least >= 0 && mean(-Infinity) >= 0;

  return Object.freeze<Glm>({
    name,
    targets: Object.freeze({ least, most }),
    penalty: 0,
    cumulant,
    mean,
    variance,
    meanBound,
    varianceBound,
    value: (score, target) => cumulant(score) - target * score,
    slope: (score, target) => mean(score) - target,
    lipschitz(domain) {
      const means = meanBound(domain);
      const targets = Math.min(domain.target, largestTarget);
      return times(domain.norm, noneNegative ? Math.max(means, targets) : means + targets);
    },
    smoothness: domain => times(varianceBound(domain), domain.norm ** 2),
  });
}

function bound(name: string, given: number | ((domain: Domain) => number)): (domain: Domain) => number {
  if (typeof given !== 'number') return requireFunction(name, given);
  requirePositive(name, given);
  return () => given;
}

/** Whether the loss is that of a generalized linear model: of classes or counts, and not of a linear target. */
export const isGlm = ({ loss }: NamedLoss): boolean => loss.targets.least > -Infinity;
