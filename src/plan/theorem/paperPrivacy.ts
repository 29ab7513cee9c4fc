import type { Budget } from '../../privacy/gaussianNoise.ts';
import { composedNoise, frankWolfeNoise, LARGEST_PAPER_EPSILON } from '../../privacy/paperNoise.ts';
import { type Condition, type Numbers, type Prescription, required, requireNumbers } from './prescription.ts';

/**
 * T noised means of n rows each, by the formulas of the paper's theorems (calibration `paper`), stated
 * for 0 < eps <= 0.9 only.
 */
export function paperPrivacy(
  formula: 'frankWolfe' | 'composed',
  { epsilon, delta, lipschitz, rows, steps }: Budget & Numbers<'lipschitz' | 'rows' | 'steps'>,
  mode: Prescription['mode'] = 'full',
): {
  readonly run: Pick<Prescription, 'mode' | 'steps' | 'chunkRows' | 'estimator' | 'privacy'>;
  readonly smallEpsilon: Condition;
} {
  requireNumbers({ epsilon, delta });
  const met = epsilon <= LARGEST_PAPER_EPSILON;
  const noise = formula === 'frankWolfe' ? frankWolfeNoise : composedNoise;
  const sigma = met && Number.isFinite(steps) && rows >= 1 ? noise({ lipschitz, rows, steps, epsilon, delta }) : null;
  const privacy = Object.freeze({ epsilon, delta, lipschitz, sigma });
  return {
    run: { mode, steps, chunkRows: rows, estimator: { kind: 'mean' }, privacy },
    smallEpsilon: required('eps <= 0.9', met, { eps: epsilon }),
  };
}
