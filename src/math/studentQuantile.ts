import { requireInteger, requireProbability } from '../errors.ts';
import { normalQuantile } from './normalQuantile.ts';

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
