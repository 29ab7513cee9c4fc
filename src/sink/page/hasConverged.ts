import type { Model } from '../../model/model.ts';

/** A share of the sampling error so small that it is rounding: a chart of it would show only noise. */
const NOTHING = 1e-6;

/**
 * Whether the gradient had vanished before the first step, for example where a pilot of the same rows found the
 * estimate already.
 */
export function hasConverged({ steps, plan }: Pick<Model, 'steps' | 'plan'>): boolean {
  const { samplingNorm } = plan;
  return (
    typeof samplingNorm === 'number' &&
    steps.every(({ gradientNorm }) => gradientNorm <= NOTHING * samplingNorm)
  );
}
