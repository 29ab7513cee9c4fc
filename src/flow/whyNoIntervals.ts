import type { Pilot } from '../pilot/pilot.ts';
import type { StepSettings } from './stepSettings.ts';

/** Why blocks cannot give intervals; null where they can: for steps by the pilot's curvature, averaged over the run. */
export function whyNoIntervals(
  { method, stepSize, constraint, aggregate }: StepSettings,
  pilot: Pilot | null,
): string | null {
  if (pilot === null) return 'without a pilot nothing is known of the curvature';
  if (constraint !== undefined)
    return 'a set bounds the estimate, and blocks do not tell what that does to it';
  if (stepSize !== undefined) return 'steps of a given size need not come to what the rows say';
  if (method === 'nesterov') return 'blocks do not tell what momentum makes of their differences';
  if (typeof aggregate === 'object') {
    return 'huber' in aggregate
      ? 'huber has no blocks to tell them by'
      : `nothing is known of what ${aggregate.name} makes of the differences of blocks`;
  }
  return null;
}
