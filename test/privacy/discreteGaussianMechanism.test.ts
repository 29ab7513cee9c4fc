import { expect } from 'chai';
import fc from 'fast-check';
import { ArgumentError } from '../../src/errors.ts';
import { discreteGaussian } from '../../src/math/random/discreteGaussian.ts';
import { secure } from '../../src/math/random/secure.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { discreteGaussianMechanism } from '../../src/privacy/discreteGaussianMechanism.ts';
import { delta as deltaOf } from '../../src/privacy/gaussianDp.ts';
import { type IntegerNoise, integerNoise, integerRelease } from '../../src/privacy/integerNoise.ts';
import { ledger } from '../../src/privacy/ledger.ts';
import type { Release } from '../../src/privacy/mechanism.ts';
import type { BlockSums } from '../../src/sample/gradientSums.ts';
import { checkMechanism } from '../laws/checkMechanism.ts';
import { holdsForAll } from '../laws/holdsForAll.ts';
import { expectClose } from '../support/close.ts';

/** Noise that makes the release of the laws: sensitivity 1/4 and sigma 1/2, for means of so many rows. */
const lawful = (rowsPerBlock: number): IntegerNoise => ({
  scale: 2 ** 20,
  squaredNorm: 2 ** 36,
  mu: 0.5,
  group: 1,
  slack: 0,
  grid: rowsPerBlock * 2 ** -21,
});

checkMechanism(
  'discreteGaussianMechanism',
  (random, rowsPerBlock) => discreteGaussianMechanism(lawful(rowsPerBlock), random),
  { isPrivateWhenSecure: true, quantizationOf: lawful },
);

const noise = integerNoise({ lipschitz: 3, features: 4, touches: 1, epsilon: 0.9, delta: 1e-6 });
const rowsPerBlock = 500;
const release = integerRelease(noise, { chunk: 2, rowsPerBlock });
const sumsOf = (values: readonly number[], part: Partial<BlockSums<'raw'>> = {}): BlockSums<'raw'> => ({
  sums: Float64Array.from(values),
  blocks: 1,
  rowsPerBlock,
  privacy: 'raw',
  grid: noise.grid,
  squaredNorm: noise.squaredNorm,
  ...part,
});

describe('discreteGaussianMechanism', () => {
  it('adds the discrete Gaussian in whole numbers, one draw a coordinate, and multiplies by the grid', () => {
    holdsForAll(
      fc.property(fc.array(fc.maxSafeInteger(), { minLength: 1, maxLength: 20 }), values => {
        const random = seeded(1, 'noise');
        const drawn = values.map(() => discreteGaussian(random, noise.scale));
        const { sums } = discreteGaussianMechanism(noise, seeded(1, 'noise')).perturb(sumsOf(values), release);
        expect(sums).to.deep.equal(Float64Array.from(values, (sum, j) => (sum + drawn[j]!) * noise.grid));
      }),
    );
  });

  it('charges mu = 2 sqrt(B2) / s, which is within the budget of the calibration', () => {
    const event = discreteGaussianMechanism(noise, secure()).event(release);
    if (event.kind !== 'gaussian') throw new Error(event.kind);
    expectClose(event.mu, (2 * Math.sqrt(noise.squaredNorm)) / noise.scale);
    expectClose(event.sensitivity, 6 / rowsPerBlock);
    expectClose(event.sigma, (noise.scale * noise.grid) / rowsPerBlock);
    const spent = ledger([event]);
    expect(spent.isPrivate).to.equal(true);
    expect(spent.epsilon(1e-6)).to.be.within(0.9 - 1e-8, 0.9);
    expect(deltaOf(event.mu, 0.9)).to.be.at.most(1e-6);
  });

  it('is not private on a seed, and says why', () => {
    expect(discreteGaussianMechanism(noise, seeded(1, 'noise')).event(release)).to.deep.equal({
      kind: 'nonPrivate',
      chunk: 2,
      reason: 'seeded noise',
    });
  });

  it('takes nobody at their word that noise is secure', () => {
    const claimed = { ...seeded(1, 'noise'), isSecure: true };
    const copied = { ...secure() };
    for (const random of [claimed, copied]) {
      const event = discreteGaussianMechanism(noise, random).event(
        integerRelease(noise, { chunk: 'all', rowsPerBlock: 9 }),
      );
      expect(event).to.include({ kind: 'nonPrivate', reason: 'noise that secure() did not make' });
    }
  });

  it('refuses a release that its noise does not make, before it is charged and before noise is drawn', () => {
    const mechanism = discreteGaussianMechanism(noise, secure());
    const smaller: Release[] = [
      { ...release, sensitivity: release.sensitivity * (1 - 1e-9) },
      { ...release, sensitivity: NaN },
      { ...release, sigma: release.sigma * (1 + 1e-9) },
      { ...release, sigma: release.sigma * 2 },
      integerRelease({ ...noise, scale: noise.scale / 2 }, { chunk: 2, rowsPerBlock }),
      integerRelease({ ...noise, squaredNorm: noise.squaredNorm + 1e3 }, { chunk: 2, rowsPerBlock }),
    ];
    for (const wrong of smaller) {
      expect(() => mechanism.event(wrong)).to.throw(ArgumentError, /^the (sensitivity|sigma) of the release/);
      expect(() => mechanism.perturb(sumsOf([1]), wrong)).to.throw(ArgumentError, 'of the release must be');
    }
    for (const sigma of [NaN, 0, -1, Infinity]) {
      expect(() => mechanism.event({ ...release, sigma })).to.throw(ArgumentError, 'sigma must be');
    }
    // The same noise on the mean of another number of rows is another release.
    expect(() => mechanism.perturb(sumsOf([1], { rowsPerBlock: 499 }), release)).to.throw(
      ArgumentError,
      'for 499 rows',
    );
    mechanism.event(release);
  });

  it('refuses sums that are on no grid, on another, or not whole, and shows none of them', () => {
    const mechanism = discreteGaussianMechanism(noise, secure());
    const { grid: _, ...plain } = sumsOf([7]);
    expect(() => mechanism.perturb(plain, release)).to.throw(
      ArgumentError,
      `the grid of the sums must be ${noise.grid}, got undefined; sum with integerSums`,
    );
    expect(() => mechanism.perturb(sumsOf([7], { grid: noise.grid * 2 }), release)).to.throw(
      ArgumentError,
      'the grid of the sums must be',
    );
    for (const bad of [1234.5, NaN, Infinity, 2 ** 53]) {
      expect(() => mechanism.perturb(sumsOf([7, bad]), release))
        .to.throw(ArgumentError, 'the sums must be integers')
        .with.property('message')
        .that.does.not.include(String(bad));
    }
  });

  it('refuses sums whose rows were held to a larger norm than its noise is for, or to none', () => {
    const mechanism = discreteGaussianMechanism(noise, secure());
    const { squaredNorm: most } = noise;
    const { squaredNorm: _, ...free } = sumsOf([7]);
    mechanism.perturb(sumsOf([7], { squaredNorm: most - 1 }), release);
    const refused: BlockSums<'raw'>[] = [
      sumsOf([7], { squaredNorm: most + 1 }),
      sumsOf([7], { squaredNorm: NaN }),
      free,
    ];
    for (const sums of refused) {
      expect(() => mechanism.perturb(sums, release)).to.throw(
        ArgumentError,
        `the squared norm that rows of the sums were held to must be at most ${most}, got ${sums.squaredNorm}; sum with integerSums`,
      );
    }
  });

  it('refuses a scale so small that a ledger of Gaussians would under-count it, or beyond the sampler', () => {
    const coarse = integerNoise({
      lipschitz: 1,
      features: 4,
      touches: 1,
      epsilon: 0.9,
      delta: 1e-6,
      scale: 2 ** 8,
    });
    expect(coarse.slack).to.be.above(1e-6);
    expect(() => discreteGaussianMechanism(coarse, secure())).to.throw(ArgumentError, 'use a larger scale');
    expect(() => discreteGaussianMechanism({ ...noise, slack: NaN }, secure())).to.throw(ArgumentError);
    expect(() => discreteGaussianMechanism({ ...noise, slack: 2e-6 }, secure())).to.throw(
      ArgumentError,
      'use fewer features, touches or records per unit',
    );
    expect(() => discreteGaussianMechanism({ ...noise, scale: 2 ** 21 }, secure())).to.throw(
      ArgumentError,
      'noise.scale must be a whole number from 1 to 1048576, got 2097152',
    );
    expect(() => discreteGaussianMechanism({ ...noise, squaredNorm: 0.5 }, secure())).to.throw(
      ArgumentError,
      'noise.squaredNorm',
    );
    expect(() => discreteGaussianMechanism({ ...noise, grid: 0 }, secure())).to.throw(ArgumentError, 'noise.grid');
  });
});
