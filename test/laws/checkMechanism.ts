import { expect } from 'chai';
import { ArgumentError } from '../../src/errors.ts';
import type { Random } from '../../src/math/random/random.ts';
import { secure } from '../../src/math/random/secure.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import type { Mechanism, Release } from '../../src/privacy/mechanism.ts';
import type { BlockSums } from '../../src/sample/gradientSums.ts';
import { chiSquareThreshold, ksDistance, ksThreshold, normalCdf } from '../support/statistics.ts';

/** What every mechanism owes, whatever law its noise has in the last digits. */
export function checkMechanism(
  name: string,
  /** Makes one that takes the release below for the means of so many rows. */
  makeMechanism: (random: Random, rowsPerBlock: number) => Mechanism,
  {
    isPrivateWhenSecure,
    quantizationOf,
  }: {
    readonly isPrivateWhenSecure: boolean;
    /** Where the mechanism takes sums on a grid: that grid, and the norm of rows, for the release below. */
    readonly quantizationOf?: (rowsPerBlock: number) => {
      readonly grid: number;
      readonly squaredNorm: number;
    };
  },
): void {
  const release: Release = { chunk: 4, sensitivity: 0.25, sigma: 0.5 };
  const sumsOf = (values: ArrayLike<number>, blocks = 1, rowsPerBlock = 1): BlockSums<'raw'> => {
    const { grid, squaredNorm } = quantizationOf?.(rowsPerBlock) ?? {};
    return {
      sums: Float64Array.from(values),
      blocks,
      rowsPerBlock,
      privacy: 'raw',
      ...(grid !== undefined && squaredNorm !== undefined && { grid, squaredNorm }),
    };
  };

  describe(`${name} as a mechanism`, () => {
    it('is a frozen record with a name', () => {
      const mechanism = makeMechanism(seeded(1, 'mechanism'), 1);
      expect(mechanism).to.be.frozen;
      expect(mechanism.name).to.be.a('string').and.not.empty;
    });

    it('charges a frozen event for the rows of the release, without drawing any noise', () => {
      for (const chunk of [4, 'all'] as const) {
        const words = countedWords();
        const event = makeMechanism(words.random, 1).event({ ...release, chunk });
        expect(event).to.be.frozen;
        expect(event.chunk).to.equal(chunk);
        expect(words.drawn()).to.equal(0);
      }
    });

    it('is never private on words that can be drawn again', () => {
      expect(makeMechanism(seeded(1, 'mechanism'), 1).event(release).kind).to.equal('nonPrivate');
    });

    it(`is ${isPrivateWhenSecure ? '' : 'not '}private on secure words`, () => {
      const event = makeMechanism(secure(), 1).event(release);
      expect(event.kind).to.equal(isPrivateWhenSecure ? 'gaussian' : 'nonPrivate');
    });

    it('keeps the shape of the sums, marks them as released, and writes to no argument', () => {
      const sums = sumsOf([1, -2, 3, 1e9, 0, 6], 3, 10);
      const released = makeMechanism(seeded(1, 'mechanism'), 10).perturb(sums, release);
      expect(released).to.include({ blocks: 3, rowsPerBlock: 10, privacy: 'released' });
      expect(released).not.to.have.property('grid');
      expect(released.sums).to.have.length(6);
      expect(released.sums).not.to.equal(sums.sums);
      expect(sums).to.deep.equal(sumsOf([1, -2, 3, 1e9, 0, 6], 3, 10));
    });

    // False alarms: 1e-9 for each of the four bounds below, at each of three sizes of block.
    it('has noise of mean 0 and deviation sigma on the mean of a block, of any number of rows, and nearly normal', () => {
      const count = 20_000;
      const beyond = -2 * Math.log(1e-9);
      for (const rowsPerBlock of [1, 7, 1000]) {
        const mechanism = makeMechanism(seeded(rowsPerBlock, 'mechanism'), rowsPerBlock);
        const { sums } = mechanism.perturb(sumsOf(new Float64Array(count), count / 2, rowsPerBlock), release);
        const standardised = sums.map(sum => sum / rowsPerBlock / release.sigma);
        const total = standardised.reduce((sum, x) => sum + x, 0);
        const squares = standardised.reduce((sum, x) => sum + x * x, 0);
        // P(|N(0, 1)| > z) <= exp(-z^2/2), and Laurent and Massart's bounds on both sides of chi^2.
        expect(Math.abs(total) / Math.sqrt(count)).to.be.below(Math.sqrt(beyond));
        expect(squares).to.be.below(chiSquareThreshold(count));
        expect(squares).to.be.above(count - Math.sqrt(2 * count * beyond));
        expect(ksDistance(standardised, normalCdf)).to.be.below(ksThreshold(count));
      }
    });

    it('draws fresh noise for every coordinate of every call', () => {
      const mechanism = makeMechanism(seeded(1, 'mechanism'), 5);
      const sums = sumsOf(new Float64Array(1000), 10, 5);
      const twice = [...mechanism.perturb(sums, release).sums, ...mechanism.perturb(sums, release).sums];
      // On a grid some meet by chance: of 2,000 draws at scale 2^20, half a pair is expected.
      expect(new Set(twice).size).to.be.at.least(quantizationOf === undefined ? 2000 : 1990);
    });

    it('draws the same noise for the same words, whatever the sums are', () => {
      const noiseOn = (values: Float64Array) => {
        const { sums } = makeMechanism(seeded(3, 'mechanism'), 1).perturb(sumsOf(values), release);
        return sums.map((sum, j) => sum - (quantizationOf?.(1).grid ?? 1) * values[j]!);
      };
      const onZeros = noiseOn(new Float64Array(50));
      const onOthers = noiseOn(Float64Array.from({ length: 50 }, (_, j) => j - 25));
      onZeros.forEach((noise, j) => {
        expect(onOthers[j]).to.be.closeTo(noise, 1e-14);
      });
    });

    it('refuses a sigma that is no finite number above 0', () => {
      const mechanism = makeMechanism(seeded(1, 'mechanism'), 1);
      for (const sigma of [Number.NaN, 0, -1, Infinity]) {
        expect(() => mechanism.perturb(sumsOf([1]), { ...release, sigma })).to.throw(
          ArgumentError,
          `sigma must be a finite number above 0, got ${sigma}`,
        );
      }
    });
  });
}

function countedWords(): { random: Random; drawn(): number } {
  const words = seeded(1, 'counted');
  let drawn = 0;
  return {
    random: {
      isSecure: false,
      word() {
        drawn++;
        return words.word();
      },
    },
    drawn: () => drawn,
  };
}
