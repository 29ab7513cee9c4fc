/**
 * The expected curvature of a risk of classes along the slopes, relative to that across them. Only a class in doubt
 * adds curvature. Its score is near 0, and so is its position along the slopes: steep classes have little curvature
 * along them.
 *
 *   along = E[b t^2] / E[b],   between = E[b t] / E[b],   b = E[bend(s, y)],   s = c + l t
 *
 *   t -> the position along the slopes, standard normal as whitened features roughly are, l -> length of the slopes,
 *   c -> intercept, y -> 1 with the probability that s gives
 */
import type { Loss } from '../../method/loss/loss.ts';
import { slopeOfSlope } from '../../method/loss/slopeOfSlope.ts';

export interface Bend {
  readonly along: number;
  /** Between the intercept and the slopes. */
  readonly between: number;
}

/** For other losses, whose curvature depends on residuals: the same everywhere. */
const EVEN: Bend = Object.freeze({ along: 1, between: 0 });

const REACH = 6;
const NODES = 1200;

export function bendOfClasses(loss: Loss, length: number, intercept: number): Bend {
  if (loss.targets.most !== 1) return EVEN;
  let [all, place, square] = [0, 0, 0];
  for (let k = 0; k <= NODES; k++) {
    const t = REACH * ((2 * k) / NODES - 1);
    const score = intercept + length * t;
    const chance = 1 / (1 + Math.exp(-score));
    const bend =
      Math.exp(-(t ** 2) / 2) *
      (chance * slopeOfSlope(loss, score, 1) + (1 - chance) * slopeOfSlope(loss, score, 0));
    all += bend;
    place += bend * t;
    square += bend * t ** 2;
  }
  return all > 0 ? { along: square / all, between: place / all } : EVEN;
}
