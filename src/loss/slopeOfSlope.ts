import type { Loss } from './loss.ts';

/** How much a loss bends at a score, by a difference of slopes. */
export function slopeOfSlope(loss: Loss, score: number, target: number): number {
  // Beside q, where the slope bends, and never beside the score: targets far from 0 would leave q within the step.
  const h = 1e-5 * (loss.kernel?.parameter || Math.max(1, Math.abs(score)));
  // Of the residual alone where the loss knows no more: beside a far target, h would be lost in rounding.
  const isOfResidual = loss.kernel !== undefined && loss.targets.least === -Infinity;
  const [at, y] = isOfResidual ? [score - target, 0] : [score, target];
  return (loss.slope(at + h, y) - loss.slope(at - h, y)) / (2 * h);
}
