import type { Loss } from '../../method/loss/loss.ts';

/**
 * Whether the minimum over the pilot's rows is a useful estimate. Least squares would follow the outliers that a median
 * of means is meant to resist, and nothing is known about a custom loss: these start from Huber's estimate, which does
 * not count as a step.
 */
export const hasPilotEstimate = ({ targets, kernel }: Loss): boolean =>
  targets.least > -Infinity || ['pseudo-huber', 'geman-mcclure', 'tukey'].includes(kernel?.kind ?? '');
