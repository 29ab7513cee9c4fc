import type { Loss } from '../loss/loss.ts';
import { meanOf } from '../math/meanOf.ts';
import { type Vector, zeros } from '../math/vector.ts';
import { minimize } from './minimize.ts';
import type { Study } from './study.ts';
import { weightedRisk } from './weightedRisk.ts';

export interface GlmEstimate {
  readonly t: Vector;
  readonly isMinimum: boolean;
  readonly isSeparated?: boolean;
}

/**
 * Of a target that is not linear. Few rows may have their classes apart though all rows have not; then there is no
 * estimate, and a little ridge, as much as one more row would count, gives a point to begin at.
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

/** A logistic risk of this share of what the classes' frequencies alone leave is one that goes to 0. */
const SEPARATED = 0.01;

function entropy({ batch, weights }: Study): number {
  const share = meanOf(batch.target, weights);
  const part = (p: number): number => (p > 0 ? -p * Math.log(p) : 0);
  return part(share) + part(1 - share);
}
