import type { StepSettings } from '../../plan/stepSettings.ts';
import type { Pilot } from '../pilot/pilot.ts';

/** Why blocks cannot give intervals; null where they can: for steps by the pilot's curvature, averaged over the run. */
export function whyNoIntervals(
  { method, stepSize, constraint, aggregate }: StepSettings,
  pilot: Pilot | null,
): string | null {
  if (pilot === null) return 'without a pilot the curvature is unknown';
  if (constraint !== undefined)
    return 'the estimate is constrained to a set, which block differences do not reflect';
  if (stepSize !== undefined) return 'steps of a given size need not converge';
  if (method === 'nesterov') return 'block differences do not reflect the momentum';
  if (typeof aggregate === 'object') {
    return 'huber' in aggregate
      ? 'the huber aggregate has no blocks'
      : `it is unknown how ${aggregate.name} treats block differences`;
  }
  return null;
}
