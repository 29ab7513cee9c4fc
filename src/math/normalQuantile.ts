import { requireProbability } from '../errors.ts';
import { solveIncreasing } from './solveIncreasing.ts';

/**
 * The x with Phi(x) = p, by Newton's method on the series Phi(x) = 1/2 + phi(x) (x + x^3/3 + x^5/(3*5) + ...). Its
 * terms all have the same sign, so absolute errors of Phi stay near 1e-15, and those of x below 1e-9 for p from 1e-6 to
 * 1 - 1e-6. Results are limited to |x| <= 8.
 */
export function normalQuantile(p: number): number {
  requireProbability('p', p);
  return solveIncreasing(
    x => {
      const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
      return { value: 0.5 + density * oddSeries(x) - p, slope: density };
    },
    { low: -8, high: 8, start: 0 },
  );
}

/** x + x^3/3 + x^5/(3*5) + ... */
export function oddSeries(x: number): number {
  let term = x;
  let sum = 0;
  for (let odd = 3; sum + term !== sum; odd += 2) {
    sum += term;
    term *= (x * x) / odd;
  }
  return sum;
}
