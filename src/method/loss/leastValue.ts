import type { Loss } from './loss.ts';

/**
 * The minimum of the loss over scores for a given target: at the score log y for counts; 0 if a score can match the
 * target exactly.
 */
export const leastValue = (loss: Loss, target: number): number =>
  isOfCounts(loss) && target > 0 ? loss.value(Math.log(target), target) : 0;

const isOfCounts = ({ targets }: Loss): boolean => targets.least === 0 && targets.most === Infinity;
