import type { Model } from '../model/model.ts';

/**
 * So small a share of what sampling leaves is rounding, or next to it: a picture of it would show nothing but noise.
 */
const NOTHING = 1e-6;

/**
 * Whether the gradient had vanished before the first step, as where a pilot of the same rows found the estimate
 * already.
 */
export function hasConverged({ steps, plan }: Pick<Model, 'steps' | 'plan'>): boolean {
  const { samplingNorm } = plan;
  return (
    typeof samplingNorm === 'number' &&
    steps.every(({ gradientNorm }) => gradientNorm <= NOTHING * samplingNorm)
  );
}
