import type { Model } from '../../model/model.ts';

/** Whether the estimate was constrained to a set, as it always is with Frank-Wolfe methods. */
export const isOverSet = ({ plan }: Pick<Model, 'plan'>): boolean =>
  plan.set !== undefined || /frank-wolfe/.test(String(plan.rule));

/** Whether the gradient, which need not vanish over a set, was the same in all steps: they had converged. */
export const isAtRest = (model: Pick<Model, 'plan' | 'steps'>): boolean =>
  isOverSet(model) &&
  model.steps.every(
    ({ gradientNorm }) => Math.abs(gradientNorm - model.steps[0]!.gradientNorm) <= SAME * gradientNorm,
  );

const SAME = 1e-3;
