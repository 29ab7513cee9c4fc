import { requireInteger, requireProbability } from '../errors.ts';
import { normalQuantile, oddSeries } from './normalQuantile.ts';

/**
 * The two-sided p-value of `t`: the probability that the absolute value of Student's t with this many degrees of freedom
 * exceeds |t|. A standard normal variable takes its place where the degrees are infinite, or more than ten million.
 *
 *   P(|T| > t) = I_x(n/2, 1/2),   x = n/(n + t^2)
 *
 *   I -> the regularized incomplete beta function, by its continued fraction, n -> degrees
 */
export function studentTail(t: number, degrees = Infinity): number {
  const size = Math.abs(t);
  if (Number.isNaN(size)) return NaN;
  if (size === Infinity) return 0;
  if (size === 0) return 1;
  if (degrees > MOST_DEGREES) return normalTail(size);
  const n = degrees / 2;
  const square = size * size;
  const x = degrees / (degrees + square);
  const rest = square / (degrees + square);
  // x^n (1 - x)^(1/2) / B(n, 1/2), by logarithms: x is close to 1, and n may be large.
  const front = Math.exp(-n * Math.log1p(square / degrees)) * Math.sqrt(rest) * inverseBeta(n);
  return x < (n + 1) / (n + 2.5)
    ? (front * betaFraction(n, 0.5, x)) / n
    : 1 - (front * betaFraction(0.5, n, rest)) / 0.5;
}

const MOST_DEGREES = 1e7;

/** 1/B(n, 1/2) = Gamma(n + 1/2)/(Gamma(n) sqrt(pi)): by its expansion for large n, to which smaller ones are raised. */
function inverseBeta(n: number): number {
  let [at, factor] = [n, 1];
  for (; at < 20; at++) factor *= at / (at + 0.5);
  const u = 1 / at;
  const expansion = u * (-1 / 8 + u * u * (1 / 192 + u * u * (-1 / 640 + (u * u * 17) / 14336)));
  return (factor * Math.sqrt(at) * Math.exp(expansion)) / Math.sqrt(Math.PI);
}

/** 1/(1 + d_1/(1 + d_2/(1 + ...))) of the incomplete beta function at x < (a + 1)/(a + b + 2), from the front. */
function betaFraction(a: number, b: number, x: number): number {
  let [c, d] = [1, 1 / (1 - ((a + b) * x) / (a + 1))];
  let value = d;
  for (let m = 1, factor = 0; Math.abs(factor - 1) > 1e-15 && m < 1e5; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / (1 + even * d);
    c = 1 + even / c;
    value *= c * d;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + odd * d);
    c = 1 + odd / c;
    factor = c * d;
    value *= factor;
  }
  return value;
}

/** Of both sides: 1 - 2 phi (z + z^3/3 + ...) near the middle, Laplace's fraction 2 phi/(z + 1/(z + 2/(z + ...))) beyond. */
function normalTail(z: number): number {
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  if (z < 3) return 1 - 2 * density * oddSeries(z);
  let below = z;
  for (let k = 100; k > 0; k--) below = z + k / below;
  return (2 * density) / below;
}

/**
 * The p-quantile of Student's t distribution with `degrees` degrees of freedom. Exact for 1 and 2 degrees; otherwise
 * Hill's expansion around the normal quantile (1970, algorithm 396), whose relative error is below 1e-4 from 3 degrees
 * on and decreases fast as the degrees increase.
 */
export function studentQuantile(p: number, degrees: number): number {
  requireProbability('p', p);
  requireInteger('degrees', degrees, 1);
  const tail = 2 * Math.min(p, 1 - p);
  const size = degrees === 1 ? 1 / Math.tan((tail * Math.PI) / 2) : degrees === 2 ? ofTwo(tail) : hill(tail, degrees);
  return p < 1 / 2 ? -size : size;
}

const ofTwo = (tail: number): number => Math.sqrt(2 / (tail * (2 - tail)) - 2);

function hill(tail: number, n: number): number {
  const a = 1 / (n - 0.5);
  const b = 48 / a / a;
  let c = ((20700 * a) / b - 98) * a - 16;
  c = c * a + 96.36;
  const d = ((94.5 / (b + c) - 3) / b + 1) * Math.sqrt((a * Math.PI) / 2) * n;
  let y = (d * tail) ** (2 / n);
  if (y > 0.05 + a) {
    const x = normalQuantile(tail / 2);
    y = x * x;
    if (n < 5) c += 0.3 * (n - 4.5) * (x + 0.6);
    c += (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b;
    y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x;
    y = a * y * y;
    y = y > 0.002 ? Math.expm1(y) : 0.5 * y * y + y;
  } else {
    y =
      (((1 / (((n + 6) / (n * y) - 0.089 * d - 0.822) * (n + 2) * 3) + 0.5 / (n + 4)) * y - 1) * (n + 1)) / (n + 2) +
      1 / y;
  }
  return Math.sqrt(n * y);
}
