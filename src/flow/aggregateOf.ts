import { mean } from '../aggregate/mean.ts';
import { medianIn } from '../aggregate/medianIn.ts';
import type { Pilot } from '../pilot/pilot.ts';
import type { Aggregate } from '../plan/planFit.ts';
import { type StepSettings, stepsByCurvature } from './stepSettings.ts';

/** What is made of the blocks of a step. */
export function aggregateOf(settings: StepSettings, pilot: Pilot | null): Aggregate {
  const { aggregate } = settings;
  if (aggregate === 'auto') return pilot === null ? 'median-of-means' : mean();
  if (aggregate === 'mean') return mean();
  if (aggregate === 'median-of-means' && pilot !== null && stepsByCurvature(settings))
    return medianIn(pilot.estimate.coordinates);
  return aggregate;
}
