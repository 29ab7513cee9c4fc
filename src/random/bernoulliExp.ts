import { integerBelow, type Random } from './random.ts';

/**
 * True with probability exp(-numerator/denominator), exactly, for whole numbers from 0 and 1 on and below 2^53: no
 * probability is ever a floating-point number (Canonne, Kamath and Steinke 2020, algorithm 1).
 *
 * For g = N/D <= 1, toss coins of chance g/1, g/2, g/3, ... until one fails. That the first k succeed has probability
 * g^k/k!, so an even number of successes has 1 - g + g^2/2! - ... = e^-g. A larger N/D takes one trial of e^-1 per
 * whole, until one fails.
 */
export function bernoulliExp(random: Random, numerator: number, denominator: number): boolean {
  let rest = numerator;
  for (; rest > denominator; rest -= denominator) if (!trial(random, 1, 1)) return false;
  return trial(random, rest, denominator);
}

/**
 * A coin of chance N/(D k) is two: N/D, and 1/k. Their product need not be formed, and cannot leave the whole numbers.
 */
function trial(random: Random, numerator: number, denominator: number): boolean {
  let k = 1;
  while (integerBelow(random, denominator) < numerator && integerBelow(random, k) === 0) k++;
  return k % 2 === 1;
}
