import { requireFunction } from '../../math/check.ts';
import { type Random, uniform } from '../../random/random.ts';

/** Draws the target of one row from its score x.theta*. */
export type Response = (random: Random, score: number) => number;

/** y = x.theta* + w, w by `noise`. */
export function linearResponse(noise: (random: Random) => number): Response {
  requireFunction('noise', noise);
  return (random, score) => score + noise(random);
}

/** y = 1 with probability 1 / (1 + exp(-x.theta*)), otherwise 0. */
export const logisticResponse: Response = (random, score) =>
  uniform(random) < 1 / (1 + Math.exp(-score)) ? 1 : 0;

/** y = sgn(x.theta*). */
export const signResponse: Response = (_random, score) => Math.sign(score);
