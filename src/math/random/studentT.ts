import { requirePositive } from '../../errors.ts';
import { normal } from './normal.ts';
import { type Random, uniform } from './random.ts';

/**
 * Student's t with nu > 0 degrees of freedom: a normal over sqrt(chi^2_nu / nu), chi^2_nu = 2 gamma(nu/2). A draw
 * beyond about 1e154 becomes infinite; this has probability 10^(-154 nu), which matters only below nu = 0.1.
 */
export function studentT(random: Random, degrees: number): number {
  const shape = requirePositive('degrees', degrees) / 2;
  return normal(random) / Math.sqrt(gamma(random, shape) / shape);
}

/**
 * The gamma distribution with any shape a > 0 and scale 1, by Marsaglia and Tsang (2000): with d = a - 1/3, the cube d
 * (1 + x/sqrt(9 d))^3 of a normal x has nearly the right distribution, and a rejection step that is rarely evaluated in
 * full makes it exact. Below shape 1 it draws gamma(a + 1) u^(1/a).
 */
export function gamma(random: Random, shape: number): number {
  requirePositive('shape', shape);
  return shape < 1 ? fromShapeOne(random, shape + 1) * uniform(random) ** (1 / shape) : fromShapeOne(random, shape);
}

function fromShapeOne(random: Random, shape: number): number {
  const d = shape - 1 / 3;
  const slope = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normal(random);
    const root = 1 + slope * x;
    if (root <= 0) continue;
    const cube = root * root * root;
    const square = x * x;
    const u = uniform(random);
    if (u < 1 - 0.0331 * square * square) return d * cube;
    if (Math.log(u) < square / 2 + d * (1 - cube + Math.log(cube))) return d * cube;
  }
}
