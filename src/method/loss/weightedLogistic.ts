import { times } from './domain.ts';
import type { Loss } from './loss.ts';

/**
 * Logistic regression with rows weighted by the largest slope their class could produce, for noise that is proportional
 * to the maximal slope:
 *
 *   slope(s, y) = v(s) (Phi'(s) - y),   v(s) = 1 / (2 max(Phi'(s), Phi'(-s))) = (1 + e^-|s|) / 2
 *
 * with Phi' as in logistic.ts.
 *
 * The slope is at most 1/2, whereas that of logistic regression reaches 1: uncertain rows (s near 0), which carry the
 * most information, get full weight, and almost certain rows half. The weight does not depend on the class, so scores
 * remain log-odds: E[slope] = 0 where E[y] = Phi'(s). For a class of 0 or 1 on the side that the score predicts, the
 * slope decays as e^-|s|/2; on the other side it is 1/2. The loss is convex: an exponential that continues as a
 * straight line from 0 on.
 */
export const weightedLogistic = (): Loss =>
  Object.freeze<Loss>({
    name: 'weightedLogistic',
    targets: Object.freeze({ least: 0, most: 1 }),
    kernel: Object.freeze({ kind: 'weighted-logistic', parameter: 0 }),
    penalty: 0,
    value(score, target) {
      const e = Math.exp(-Math.abs(score));
      return (score < 0 ? (1 - target) * e + target * (1 - score) : (1 - target) * (1 + score) + target * e) / 2;
    },
    slope(score, target) {
      const e = Math.exp(-Math.abs(score));
      return (score < 0 ? (1 - target) * e - target : 1 - target - target * e) / 2;
    },
    lipschitz: ({ norm }) => times(1 / 2, norm),
    // y e^-s / 2 for a positive score, (1 - y) e^s / 2 for a negative one
    smoothness: ({ norm }) => times(1 / 2, norm ** 2),
  });
