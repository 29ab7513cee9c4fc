import type { Loss } from './loss.ts';

/** The second derivative of a loss at a score, by a difference of slopes. */
export function slopeOfSlope(loss: Loss, score: number, target: number): number {
  // The step is relative to q, the scale on which the slope changes, not to the score: with targets far from 0 the step
  // would otherwise exceed q.
  const h = 1e-5 * (loss.kernel?.parameter || Math.max(1, Math.abs(score)));
  // If the loss depends on the residual alone, difference in the residual: next to a large target, h would be lost to
  // rounding.
  const isOfResidual = loss.kernel !== undefined && loss.targets.least === -Infinity;
  const [at, y] = isOfResidual ? [score - target, 0] : [score, target];
  return (loss.slope(at + h, y) - loss.slope(at - h, y)) / (2 * h);
}
