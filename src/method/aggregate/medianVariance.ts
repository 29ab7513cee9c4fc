/**
 * The ratio of the variance of a geometric median to that of a mean, for many points from a spherical normal
 * distribution in R^r:
 *
 *   r / ((r - 1) E[1/R])^2,   E[1/R] = Gamma((r - 1)/2) / (sqrt 2 Gamma(r/2)),   and pi/2 for r = 1
 *
 * R is the length of a standard normal vector. The ratio of gammas is computed by a recursion in steps of two: E[1/R]
 * for r + 2 is (r - 1)/r times that for r.
 *
 *   r -> dimension
 */
import { requireInteger } from '../../errors.ts';

export function medianVariance(dimension: number): number {
  requireInteger('dimension', dimension, 1);
  if (dimension === 1) return Math.PI / 2;
  let inverse = dimension % 2 === 0 ? Math.sqrt(Math.PI / 2) : Math.sqrt(2 / Math.PI);
  for (let r = dimension % 2 === 0 ? 2 : 3; r < dimension; r += 2) inverse *= (r - 1) / r;
  return dimension / ((dimension - 1) * inverse) ** 2;
}
