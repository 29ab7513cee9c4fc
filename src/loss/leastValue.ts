import type { Loss } from './loss.ts';

/** The least that a loss has for a target: of counts at the score log y, and 0 of targets that a score can meet. */
export const leastValue = (loss: Loss, target: number): number =>
  isOfCounts(loss) && target > 0 ? loss.value(Math.log(target), target) : 0;

const isOfCounts = ({ targets }: Loss): boolean => targets.least === 0 && targets.most === Infinity;
