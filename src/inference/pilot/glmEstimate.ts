import { meanOf } from '../../math/meanOf.ts';
import { type Vector, zeros } from '../../math/vector.ts';
import type { Loss } from '../../method/loss/loss.ts';
import { minimize } from './minimize.ts';
import type { Study } from './study.ts';
import { weightedRisk } from './weightedRisk.ts';

export interface GlmEstimate {
  readonly t: Vector;
  readonly isMinimum: boolean;
  readonly isSeparated?: boolean;
}

/**
 * The estimate of a generalized linear model. The classes of few rows may be perfectly separated though those of all
 * rows are not. Then there is no finite estimate, and a ridge worth one row gives a point to start from.
 */
export function glmEstimate(study: Study, loss: Loss): GlmEstimate {
  const { batch, penalties, intercept } = study;
  const slopes = batch.columns.length;
  const held = penalties.map((penalty, j) => (j < slopes ? penalty + 1 / batch.rows : penalty));
  const near = minimize(weightedRisk(batch, { ...study, penalties: held }), loss, zeros(penalties.length), {
    intercept,
  });
  const risk = weightedRisk(batch, study);
  const t = minimize(risk, loss, near, { intercept });
  const chance = entropy(study);
  const isSeparated = loss.name.startsWith('logistic')
    ? chance === 0 || risk.value(loss, t) < SEPARATED * chance
    : loss.name.startsWith('poisson') && meanOf(batch.target, study.weights) === 0;
  return isSeparated ? { t: near, isMinimum: false, isSeparated } : { t, isMinimum: true };
}

/** Of the risk without features: below it the logistic risk is going to 0. */
const SEPARATED = 0.01;

function entropy({ batch, weights }: Study): number {
  const share = meanOf(batch.target, weights);
  const part = (p: number): number => (p > 0 ? -p * Math.log(p) : 0);
  return part(share) + part(1 - share);
}
