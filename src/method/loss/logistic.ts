import { type Glm, glm } from './glm.ts';

/**
 * Logistic regression, a generalized linear model (section "Generalized Linear Models"):
 *
 *   Phi(s) = log(1 + e^s),   Phi'(s) = 1 / (1 + e^-s),   Phi''(s) = Phi'(s) Phi'(-s),   0 <= y <= 1
 *
 *   K_Phi' = 1 -> meanBound, K_Phi'' = 1/4 -> varianceBound
 *
 * With these constants, the paper's L2 is (K_Phi' + K_y) L_x = 2 L_x. But Phi' and y both lie in [0, 1], so
 * the Lipschitz constant is L_x, half the noise for the same privacy. `lipschitz` returns L_x; code that follows
 * the paper to the letter uses the K's.
 *
 * Everything is written in terms of e = e^-|s|, which cannot overflow. Value and slope collect the terms in y before
 * they subtract: Phi(s) - s and Phi'(s) - 1 would lose the tail e^-s of a row that is already well fitted.
 *
 * @example
 * logistic().slope(0, 1); // -0.5
 */
export const logistic = (): Glm =>
  Object.freeze<Glm>({
    ...glm({
      name: 'logistic',
      targets: { least: 0, most: 1 },
      cumulant: score => Math.max(score, 0) + Math.log1p(decay(score)),
      mean: score => (score < 0 ? decay(score) : 1) / (1 + decay(score)),
      variance: score => decay(score) / (1 + decay(score)) ** 2,
      meanBound: 1,
      varianceBound: 1 / 4,
    }),
    kernel: Object.freeze({ kind: 'logistic', parameter: 0 }),
    value: (score, target) => Math.log1p(decay(score)) + (score < 0 ? -target : 1 - target) * score,
    slope(score, target) {
      const e = decay(score);
      return (score < 0 ? (1 - target) * e - target : 1 - target - target * e) / (1 + e);
    },
  });

const decay = (score: number): number => Math.exp(-Math.abs(score));
