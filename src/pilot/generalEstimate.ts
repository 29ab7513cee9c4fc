import type { Loss } from '../loss/loss.ts';
import { meanOf } from '../math/meanOf.ts';
import { type Vector, zeros } from '../math/vector.ts';
import { minimize } from './settle.ts';
import type { Study } from './study.ts';
import { weightedRisk } from './weightedRisk.ts';

export interface GeneralEstimate {
  readonly t: Vector;
  readonly isEstimate: boolean;
  readonly isApart?: boolean;
}

/**
 * Of a target that is not linear. Few rows may have their classes apart though all rows have not; then there is no
 * estimate, and a little ridge, as much as one more row would count, gives a point to begin at.
 */
export function generalEstimate(study: Study, loss: Loss): GeneralEstimate {
  const { batch, penalties, intercept } = study;
  const slopes = batch.columns.length;
  const held = penalties.map((penalty, j) => (j < slopes ? penalty + 1 / batch.rows : penalty));
  const near = minimize(weightedRisk(batch, { ...study, penalties: held }), loss, zeros(penalties.length), {
    intercept,
  });
  const risk = weightedRisk(batch, study);
  const t = minimize(risk, loss, near, { intercept });
  const chance = entropy(study);
  const isApart = loss.name.startsWith('logistic')
    ? chance === 0 || risk.value(loss, t) < APART * chance
    : loss.name.startsWith('poisson') && meanOf(batch.target, study.weights) === 0;
  return isApart ? { t: near, isEstimate: false, isApart } : { t, isEstimate: true };
}

/** A logistic risk of this share of what the classes' frequencies alone leave is one that goes to 0. */
const APART = 0.01;

function entropy({ batch, weights }: Study): number {
  const share = meanOf(batch.target, weights);
  const part = (p: number): number => (p > 0 ? -p * Math.log(p) : 0);
  return part(share) + part(1 - share);
}
