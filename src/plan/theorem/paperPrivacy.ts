import { requirePositive, requireProbability } from '../../errors.ts';
import type { Budget } from '../../privacy/gaussianNoise.ts';
import { composedNoise, frankWolfeNoise, LARGEST_PAPER_EPSILON } from '../../privacy/paperNoise.ts';
import { type Condition, type PaperPrivacy, required } from './prescription.ts';

/** The privacy of the paper's theorems: calibration `paper`, proved for 0 < eps <= 0.9 only. */
export function paperPrivacy(
  formula: 'frankWolfe' | 'composed',
  {
    epsilon,
    delta,
    lipschitz,
    rows,
    steps,
  }: Budget & { readonly lipschitz: number; readonly rows: number; readonly steps: number },
): { readonly privacy: PaperPrivacy; readonly smallEpsilon: Condition } {
  requirePositive('epsilon', epsilon);
  requireProbability('delta', delta);
  const met = epsilon <= LARGEST_PAPER_EPSILON;
  const noise = formula === 'frankWolfe' ? frankWolfeNoise : composedNoise;
  const sigma = met && Number.isFinite(steps) && rows >= 1 ? noise({ lipschitz, rows, steps, epsilon, delta }) : null;
  return {
    privacy: Object.freeze({ epsilon, delta, lipschitz, sigma }),
    smallEpsilon: required('eps <= 0.9', met, { eps: epsilon }),
  };
}
