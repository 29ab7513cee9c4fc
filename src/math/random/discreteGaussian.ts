import { requireInteger } from '../../errors.ts';
import { integerBelow, type Random } from './random.ts';

export const LARGEST_SCALE = 2 ** 20;

/**
 * The discrete Gaussian N_Z(0, s^2), exactly: P(x) proportional to exp(-x^2 / (2 s^2)) on the integers, by the
 * rejection sampler of Canonne, Kamath and Steinke (2020), algorithms 2 and 3.
 *
 *   propose  x = ±(u + s v), P(x) proportional to exp(-|x|/s): u uniform below s and kept with probability exp(-u/s),
 *            v the number of trials of e^-1 before one fails, and -0 redrawn
 *   accept   with probability exp(-d^2 / (2 s^2)), d = ||x| - s|
 *
 *   s -> scale
 *
 * Why every number is an integer below 2^53: with d = q s + r and 0 <= r < s,
 *
 *   d^2 / (2 s^2) = q^2/2 + q r/s + r^2 / (2 s^2),
 *
 * and the three parts are three trials, whose numerators and denominators are at most q^2, q s and 2 s^2 <= 2^41. They
 * and x itself are below 2^53 as long as v < 2^26; a larger v has probability e^-67108864.
 *
 * The time a draw takes depends on the value drawn.
 */
export function discreteGaussian(random: Random, scale: number): number {
  requireInteger('scale', scale, 1, LARGEST_SCALE);
  for (;;) {
    const x = discreteLaplace(random, scale);
    const d = Math.abs(Math.abs(x) - scale);
    const r = d % scale;
    const q = (d - r) / scale;
    if (
      bernoulliExp(random, q * q, 2) &&
      bernoulliExp(random, q * r, scale) &&
      bernoulliExp(random, r * r, 2 * scale * scale)
    ) {
      return x;
    }
  }
}

function discreteLaplace(random: Random, scale: number): number {
  for (;;) {
    const u = integerBelow(random, scale);
    if (!bernoulliExp(random, u, scale)) continue;
    let v = 0;
    while (bernoulliExp(random, 1, 1)) v++;
    const size = u + scale * v;
    const isNegative = integerBelow(random, 2) === 1;
    if (!isNegative) return size;
    if (size !== 0) return -size;
  }
}

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
