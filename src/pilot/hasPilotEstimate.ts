import type { Loss } from '../loss/loss.ts';

/**
 * Whether the pilot's rows have an estimate of this loss that may count. Least squares would bend to what a median of
 * means is there for, and of a loss of the user's own nothing is known; they begin at the robust estimate, and it
 * counts for nothing.
 */
export const hasPilotEstimate = ({ targets, kernel }: Loss): boolean =>
  targets.least > -Infinity || ['pseudo-huber', 'geman-mcclure', 'tukey'].includes(kernel?.kind ?? '');
