import { times } from './domain.ts';
import type { Loss } from './loss.ts';

/**
 * Logistic regression whose rows count by how much their class could surprise, for noise that is in proportion to the
 * steepest slope:
 *
 *   slope(s, y) = v(s) (Phi'(s) - y),   v(s) = 1 / (2 max(Phi'(s), Phi'(-s))) = (1 + e^-|s|) / 2,   Phi' as in logistic.ts
 *
 * A slope is at most 1/2, where that of logistic regression comes to 1: rows that are in doubt, whose classes surprise
 * least and tell most, count fully, and rows that are all but certain a half. The weight does not depend on the class,
 * so that scores are log-odds as ever: E[slope] = 0 where E[y] = Phi'(s). For a class, 0 or 1, on the side where the
 * score has it, the slope decays as e^-|s|/2; on the other it is 1/2. It is convex: an exponential loss that goes on
 * straight from 0 on.
 */
export const weightedLogistic = (): Loss =>
  Object.freeze<Loss>({
    name: 'weightedLogistic',
    targets: Object.freeze({ least: 0, most: 1 }),
    kernel: Object.freeze({ kind: 'weighted-logistic', parameter: 0 }),
    penalty: 0,
    value(score, target) {
      const e = Math.exp(-Math.abs(score));
      return (
        (score < 0 ? (1 - target) * e + target * (1 - score) : (1 - target) * (1 + score) + target * e) / 2
      );
    },
    slope(score, target) {
      const e = Math.exp(-Math.abs(score));
      return (score < 0 ? (1 - target) * e - target : 1 - target - target * e) / 2;
    },
    lipschitz: ({ norm }) => times(1 / 2, norm),
    // y e^-s / 2 for a positive score, (1 - y) e^s / 2 for a negative one
    smoothness: ({ norm }) => times(1 / 2, norm ** 2),
  });
