import type { Model } from '../../model/model.ts';

/** The constraint set in words; undefined where there is none, and in files written before plans recorded it. */
export function setText({ plan, ledger }: Pick<Model, 'plan' | 'ledger'>): string | undefined {
  const { set, radius } = plan;
  if (typeof set !== 'string' || typeof radius !== 'number') return undefined;
  // Private steps are in the units of the bounds, except those of a theorem, whose rows are not scaled.
  const scaled = ledger.unit === undefined || plan.theorem !== undefined ? '' : 'scaled ';
  const size = Number(radius.toPrecision(6));
  return set === 'box'
    ? `every ${scaled}coefficient from -${size} to ${size}`
    : `${set} norm of ${scaled}coefficients at most ${size}`;
}
