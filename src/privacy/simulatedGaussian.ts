import { requirePositive } from '../errors.ts';
import { normal } from '../math/random/normal.ts';
import type { Random } from '../math/random/random.ts';
import { requirePlain } from '../sample/gradientSums.ts';
import { nonPrivateEvent } from './event.ts';
import type { Mechanism } from './mechanism.ts';

/**
 * Continuous Gaussian noise in floating point, for simulations of the paper's methods.
 *
 * Guarantee. None. Noise in doubles leaks through its low bits (Mironov, 2012), and anyone can reproduce seeded noise:
 * every release is charged as not private. It shows the accuracy that a private run would have.
 * Edge cases. sigma = 0 is refused: a run without noise needs no mechanism.
 */
export function simulatedGaussian(random: Random): Mechanism {
  const reason = random.isSecure ? 'floating-point noise leaks through its low bits' : 'seeded noise';
  return Object.freeze({
    name: 'simulated-gaussian',
    event: ({ chunk }) => nonPrivateEvent({ chunk, reason }),
    perturb: (sums, { sigma }) => {
      requirePositive('sigma', sigma);
      requirePlain(sums);
      const deviation = sigma * sums.rowsPerBlock;
      return { ...sums, sums: sums.sums.map(sum => sum + deviation * normal(random)), privacy: 'released' };
    },
  } satisfies Mechanism);
}
