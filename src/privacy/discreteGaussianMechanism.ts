import { ArgumentError, refuse, requireInteger, requirePositive } from '../errors.ts';
import { discreteGaussian, LARGEST_SCALE } from '../math/random/discreteGaussian.ts';
import type { Random } from '../math/random/random.ts';
import { isFromSystem } from '../math/random/secure.ts';
import { gaussianEvent, nonPrivateEvent } from './event.ts';
import { type IntegerNoise, integerRelease, LARGEST_SLACK } from './integerNoise.ts';
import type { Mechanism, Release } from './mechanism.ts';

/** The relative difference allowed between two computations of the same release. */
const ROUNDING = 1e-12;

/**
 * Makes integer sums private: adds a discrete Gaussian N_Z(0, s^2) to every coordinate of every block's sum, in
 * integers, and multiplies the result by the grid.
 *
 *   released = (sum + N_Z(0, s^2)) gamma,   s -> noise.scale, gamma -> noise.grid, B2 -> noise.squaredNorm
 *
 * Guarantee. Where no record moves a block's sum by more than 2 sqrt(B2) (replace-one adjacency; `integerSummer`
 * enforces it, and counts that move only two of their numbers state a shift of their own), a release is exactly rho = (2 sqrt(B2))^2 / (2 s^2) zCDP. It is charged as a Gaussian of
 * mu = 2 sqrt(B2) / s, from which it differs by the slack that `integerNoise` has taken out of the budget: epsilon is
 * accurate to that slack, here at most 1e-6. No floating-point arithmetic happens before the noise is added; a sum
 * beyond 2^53 is rounded after that, as is the product with the grid, which is post-processing.
 * Edge cases. Noise from anything but `secure()`, such as a seed, is charged as not private. Refused are: a release that disagrees with the
 * noise; sums on another grid or on none; sums of rows held to a larger norm or to none; a scale so small that its
 * slack matters. No message contains a sum. The time that drawing takes is not hidden. All noise of a step is drawn
 * before any of it is used, so the time does not depend on the sums.
 */
export function discreteGaussianMechanism(noise: IntegerNoise, random: Random): Mechanism {
  const { scale, grid } = noise;
  requireInteger('noise.scale', scale, 1, LARGEST_SCALE);
  requireInteger('noise.squaredNorm', noise.squaredNorm, 1, 2 ** 52);
  requirePositive('noise.grid', grid);
  if (!(noise.slack <= LARGEST_SLACK)) {
    const wayOut = scale < LARGEST_SCALE ? 'use a larger scale' : 'use fewer features, touches or records per unit';
    refuse('noise.slack', `be at most ${LARGEST_SLACK}`, noise.slack, wayOut);
  }

  return Object.freeze({
    name: 'discrete-gaussian',
    group: noise.group,
    event(release) {
      requirePositive('sigma', release.sigma);
      // The number of rows is not part of a release; sigma implies it.
      requireOurs(noise, release, Math.max(1, Math.round((scale * grid) / release.sigma)));
      return isFromSystem(random)
        ? gaussianEvent(release)
        : nonPrivateEvent({
            chunk: release.chunk,
            reason: random.isSecure ? 'noise that secure() did not make' : 'seeded noise',
          });
    },
    perturb(given, release) {
      const { sums, blocks, rowsPerBlock } = given;
      requirePositive('sigma', release.sigma);
      requireOurs(noise, release, rowsPerBlock);
      if (given.grid !== grid) {
        refuse('the grid of the sums', `be ${grid}`, given.grid, 'sum with integerSums and the same noise');
      }
      if (!((given.squaredShift ?? 4 * given.squaredNorm!) <= 4 * noise.squaredNorm)) {
        refuse(
          'the squared norm that rows of the sums were held to',
          `be at most ${noise.squaredNorm}`,
          given.squaredShift === undefined ? given.squaredNorm : given.squaredShift / 4,
          'sum with integerSums and the same noise',
        );
      }
      if (!sums.every(Number.isSafeInteger)) {
        throw new ArgumentError('the sums must be integers below 2^53; sum with integerSums', 'ERR_NOT_PRIVATE', {
          argument: 'sums',
        });
      }
      const drawn = sums.map(() => discreteGaussian(random, scale));
      return {
        sums: sums.map((sum, j) => (sum + drawn[j]!) * grid),
        blocks,
        rowsPerBlock,
        privacy: 'released',
      };
    },
  } satisfies Mechanism);
}

function requireOurs(noise: IntegerNoise, release: Release, rowsPerBlock: number): void {
  const ours = integerRelease(noise, { chunk: release.chunk, rowsPerBlock });
  for (const name of ['sensitivity', 'sigma'] as const) {
    if (!(Math.abs(release[name] - ours[name]) <= ROUNDING * ours[name])) {
      refuse(
        `the ${name} of the release`,
        `be ${ours[name]}, as its noise implies for ${rowsPerBlock} rows`,
        release[name],
        'take it from integerRelease',
      );
    }
  }
}
