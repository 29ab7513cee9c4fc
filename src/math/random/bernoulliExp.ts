import { integerBelow, type Random } from './random.ts';

/**
 * True with probability exactly exp(-numerator/denominator), for integers numerator >= 0 and denominator >= 1 below
 * 2^53. No probability is ever represented in floating point (Canonne, Kamath and Steinke 2020, algorithm 1).
 *
 * For g = N/D <= 1, flip coins with success probabilities g/1, g/2, g/3, ... until one fails. The first k all succeed
 * with probability g^k/k!, so the number of successes is even with probability 1 - g + g^2/2! - ... = e^-g. A larger
 * N/D adds one trial of e^-1 for each unit, until one fails.
 */
export function bernoulliExp(random: Random, numerator: number, denominator: number): boolean {
  let rest = numerator;
  for (; rest > denominator; rest -= denominator) if (!trial(random, 1, 1)) return false;
  return trial(random, rest, denominator);
}

/**
 * A coin with probability N/(D k) is two coins, N/D and 1/k, so the product D k is never formed and cannot exceed the
 * exact integers.
 */
function trial(random: Random, numerator: number, denominator: number): boolean {
  let k = 1;
  while (integerBelow(random, denominator) < numerator && integerBelow(random, k) === 0) k++;
  return k % 2 === 1;
}
