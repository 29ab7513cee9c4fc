import { requirePositive } from '../../errors.ts';
import { gamma } from './gamma.ts';
import { normal } from './normal.ts';
import type { Random } from './random.ts';

/**
 * Student's t with nu > 0 degrees of freedom: a normal over sqrt(chi^2_nu / nu), chi^2_nu = 2 gamma(nu/2). A draw
 * beyond about 1e154 becomes infinite; this has probability 10^(-154 nu), which matters only below nu = 0.1.
 */
export function studentT(random: Random, degrees: number): number {
  const shape = requirePositive('degrees', degrees) / 2;
  return normal(random) / Math.sqrt(gamma(random, shape) / shape);
}
