import { refuse, requireFunction } from '../../errors.ts';
import { domain } from '../../method/loss/domain.ts';
import type { Glm } from '../../method/loss/glm.ts';

/** What the theorems about generalized linear models take from the loss. */
export interface GlmConstants {
  /** K_Phi', the largest |Phi'|. */
  readonly meanBound: number;
  /** K_Phi'', the largest Phi''. */
  readonly varianceBound: number;
  /** Phi''(L_x ||theta*||), the least variance of a score that the truth can have. */
  readonly varianceAtTruth: number;
}

/**
 * The constants of a loss, after a check of what the theorems assume of it (section "Generalized Linear Models"):
 * |Phi'| and Phi'' are bounded by the K's that the loss states, Phi'' is even, above 0 and non-increasing in |s|. That
 * makes Phi''(L_x ||theta*||) the least variance there, on which every r rests; e^s, of Poisson regression, makes it the
 * largest.
 *
 *   L_x -> featureNorm, ||theta*|| -> truthNorm
 *
 * Edge cases. The loss is a function, so it is checked at scores and not everywhere: at every 64th of a unit up to 40,
 * where the tails of usual models are below rounding, and at powers of two up to 1,024.
 */
export function glmConstants(
  loss: Glm,
  { featureNorm, truthNorm }: { readonly featureNorm: number; readonly truthNorm: number },
): GlmConstants {
  for (const part of ['mean', 'variance', 'meanBound', 'varianceBound'] as const) {
    requireFunction(`loss.${part}`, loss?.[part]);
  }
  const everywhere = domain({ features: 1, norm: featureNorm });
  const [meanBound, varianceBound] = [loss.meanBound(everywhere), loss.varianceBound(everywhere)];
  const violated = violation(loss, { meanBound, varianceBound });
  if (violated !== null) refuse('loss', HYPOTHESES, `${loss.name}, ${violated}`, 'use logistic()');
  const varianceAtTruth = loss.variance(featureNorm * truthNorm);
  if (!(varianceAtTruth > 0))
    refuse('loss', "have a Phi'' above 0 at L_x ||theta*||", varianceAtTruth, 'use a smaller featureNorm or truthNorm');
  return { meanBound, varianceBound, varianceAtTruth };
}

const HYPOTHESES =
  "have a bounded Phi', and a bounded Phi'' that is even and non-increasing in |s|, as the theorems about generalized linear models assume";

const scores = (): readonly number[] => [
  ...Array.from({ length: 40 * 64 + 1 }, (_, k) => k / 64),
  ...[64, 128, 256, 512, 1024],
];

/** Rounding of a few operations in double precision. */
const SLACK = 1e-9;

/** The first hypothesis that the loss breaks, at which score; null where none is found. */
function violation(loss: Glm, { meanBound, varianceBound }: Omit<GlmConstants, 'varianceAtTruth'>): string | null {
  if (!(meanBound < Infinity)) return "whose Phi' has no bound";
  if (!(varianceBound < Infinity)) return "whose Phi'' has no bound";
  let before = Infinity;
  for (const s of scores()) {
    const [above, below] = [loss.variance(s), loss.variance(-s)];
    if (!(above >= 0)) return `whose Phi''(${s}) is ${above}`;
    // Absolute near 0, where even functions may differ by rounding.
    if (!(Math.abs(above - below) <= SLACK * Math.max(above, below) + Number.EPSILON * varianceBound))
      return `whose Phi''(${s}) is ${above} but Phi''(-${s}) is ${below}`;
    if (above > before * (1 + SLACK)) return `whose Phi'' grows with |s|: it is ${above} at s = ${s}`;
    if (above > varianceBound * (1 + SLACK)) return `whose Phi''(${s}) = ${above} is above its bound ${varianceBound}`;
    const slope = Math.max(Math.abs(loss.mean(s)), Math.abs(loss.mean(-s)));
    if (!(slope <= meanBound * (1 + SLACK)))
      return `whose |Phi'| is ${slope} at |s| = ${s}, above its bound ${meanBound}`;
    before = above;
  }
  return null;
}
