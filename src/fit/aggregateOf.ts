import type { Pilot } from '../inference/pilot/pilot.ts';
import { mean } from '../method/aggregate/mean.ts';
import { medianIn } from '../method/aggregate/medianIn.ts';
import type { Aggregate } from '../plan/planFit.ts';
import { type StepSettings, stepsByCurvature } from '../plan/stepSettings.ts';

/** What is made of the blocks of a step. */
export function aggregateOf(settings: StepSettings, pilot: Pilot | null): Aggregate {
  const { aggregate } = settings;
  if (aggregate === 'auto') return pilot === null ? 'median-of-means' : mean();
  if (aggregate === 'mean') return mean();
  if (aggregate === 'median-of-means' && pilot !== null && stepsByCurvature(settings))
    return medianIn(pilot.estimate.coordinates);
  return aggregate;
}
