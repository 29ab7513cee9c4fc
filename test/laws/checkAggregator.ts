import { expect } from 'chai';
import fc from 'fast-check';
import { ArgumentError } from '../../src/errors.ts';
import { uniform as uniformDraw } from '../../src/math/random/random.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { addScaled, distance, dot, norm, scaled, subtract, type Vector } from '../../src/math/vector.ts';
import type { Aggregator } from '../../src/method/aggregate/aggregator.ts';
import type { BlockSums } from '../../src/sample/gradientSums.ts';
import { direction, normals } from '../support/linearAlgebra.ts';
import { holdsForAll, uniform } from './holdsForAll.ts';

/** What every aggregator owes: it is a location of the block means, and knows nothing but them. */
export function checkAggregator(name: string, makeAggregator: () => Aggregator, options: AggregatorOptions = {}): void {
  const aggregator = makeAggregator();
  const aggregate = (means: readonly Vector[], rowsPerBlock = 1): Vector =>
    aggregator.aggregate(sumsOf(means, rowsPerBlock)).values;

  describe(`${name} as an aggregator`, () => {
    it('is a frozen record, the same each time it is made', () => {
      expect(aggregator).to.be.frozen;
      expect(makeAggregator().name).to.equal(aggregator.name);
    });

    it('passes the privacy tag through unchanged', () => {
      const sums = sumsOf([Float64Array.of(1, 2)], 1);
      expect(aggregator.aggregate({ ...sums, privacy: 'raw' }).privacy).to.equal('raw');
      expect(aggregator.aggregate({ ...sums, privacy: 'released' }).privacy).to.equal('released');
    });

    it('writes to no argument, and answers with memory of its own', () => {
      holdsForAll(
        fc.property(clouds, means => {
          const sums = sumsOf(means, 3);
          const before = sums.sums.slice();
          const first = aggregator.aggregate(sums).values;
          const kept = first.slice();
          first.fill(Number.NaN);
          expect(sums.sums).to.deep.equal(before);
          expect(aggregator.aggregate(sums).values).to.deep.equal(kept);
        }),
      );
    });

    it('gives a single block its mean, and equal blocks their common mean', () => {
      holdsForAll(
        fc.property(clouds, fc.integer({ min: 1, max: 50 }), ([mean], rowsPerBlock) => {
          const size = norm(mean!);
          expect(distance(aggregate([mean!], rowsPerBlock), mean!)).to.be.at.most(1e-15 * size);
          expect(distance(aggregate([mean!, mean!, mean!], rowsPerBlock), mean!)).to.be.at.most(1e-15 * size);
        }),
      );
    });

    it('does not care in which order the blocks come', () => {
      holdsForAll(
        fc.property(clouds, seeds, (means, seed) => {
          const moved = distance(aggregate(shuffled(means, seed)), aggregate(means));
          expect(moved).to.be.at.most(tolerance * spread(means));
        }),
      );
    });

    it('moves with the means: translation', () => {
      holdsForAll(
        fc.property(clouds, seeds, (means, seed) => {
          const shift = normals(seeded(seed, 'shift'), means[0]!.length);
          const moved = aggregate(means.map(mean => addScaled(mean, 1, shift)));
          const expected = addScaled(aggregate(means), 1, shift);
          expect(distance(moved, expected)).to.be.at.most(tolerance * (spread(means) + norm(shift)));
        }),
      );
    });

    it('grows with the means: scale and sign', () => {
      holdsForAll(
        fc.property(clouds, uniform(-3, 3), fc.constantFrom(-1, 1), (means, exponent, sign) => {
          const factor = sign * 10 ** exponent;
          const grown = aggregate(means.map(mean => scaled(mean, factor)));
          const expected = scaled(aggregate(means), factor);
          expect(distance(grown, expected)).to.be.at.most(tolerance * spread(means) * Math.abs(factor));
        }),
      );
    });

    it('stays in the convex hull of the means', () => {
      holdsForAll(
        fc.property(clouds, seeds, (means, seed) => {
          const middle = aggregate(means);
          const random = seeded(seed, 'hull');
          for (let i = 0; i < 20; i++) {
            const along = direction(random, middle.length);
            const farthest = Math.max(...means.map(mean => dot(mean, along)));
            expect(dot(middle, along)).to.be.at.most(farthest + tolerance * spread(means));
          }
        }),
      );
    });

    it('refuses sums that are not blocks of features', () => {
      const sums = new Float64Array(6);
      const bad: [part: object, message: string][] = [
        [{ blocks: 4 }, 'the length of sums must be a multiple of blocks = 4, got 6'],
        [{ blocks: 12 }, 'the length of sums must be a multiple of blocks = 12, got 6'],
        [{ sums: new Float64Array(0) }, 'the length of sums must be a multiple of blocks = 2, got 0'],
        [{ blocks: 0 }, 'blocks must be a whole number of at least 1, got 0'],
        [{ blocks: Number.NaN }, 'blocks must be a whole number of at least 1, got NaN'],
        [{ rowsPerBlock: 0 }, 'rowsPerBlock must be a whole number of at least 1, got 0'],
        [{ rowsPerBlock: 1.5 }, 'rowsPerBlock must be a whole number of at least 1, got 1.5'],
      ];
      for (const [part, message] of bad) {
        const given = { sums, blocks: 2, rowsPerBlock: 1, privacy: 'raw' as const, ...part };
        expect(() => aggregator.aggregate(given)).to.throw(ArgumentError, message);
      }
    });

    if (options.sensitivity !== undefined) checkSensitivity(options.sensitivity);
  });

  function checkSensitivity(sensitivity: (lipschitz: number, rows: number) => number): void {
    it('moves by no more than its sensitivity when one row is replaced, and by as much at worst', () => {
      holdsForAll(
        fc.property(seeds, uniform(-3, 3), (seed, exponent) => {
          const random = seeded(seed, 'sensitivity');
          const lipschitz = 10 ** exponent;
          const pick = (count: number) => Math.floor(uniformDraw(random) * count);
          const [blocks, rowsPerBlock, features] = [1 + pick(6), 1 + pick(6), 1 + pick(5)];
          const rows = blocks * rowsPerBlock;
          const allowed = sensitivity(lipschitz, rows);
          // A gradient within the bound; on the sphere half of the time.
          const row = () => scaled(direction(random, features), lipschitz * Math.min(1, 2 * uniformDraw(random)));
          const gradients = Array.from({ length: rows }, row);
          const replaced = pick(rows);
          const moved = (from: Vector, to: Vector): number => {
            const result = (gradient: Vector) =>
              aggregator.aggregate(blockSumsOf(gradients.with(replaced, gradient), blocks)).values;
            return distance(result(from), result(to));
          };
          const rounding = 1e-14 * lipschitz;
          expect(moved(row(), row())).to.be.at.most(allowed + rounding);
          const end = scaled(direction(random, features), lipschitz);
          expect(moved(end, scaled(end, -1))).to.be.closeTo(allowed, rounding);
        }),
      );
    });
  }
}

export interface AggregatorOptions {
  /** The most by which one row of gradient norm `lipschitz` moves the result; left out where there is no such bound. */
  readonly sensitivity?: (lipschitz: number, rows: number) => number;
}

/** Rounding, times what the curvature of a random cloud makes of it. */
const tolerance = 1e-10;

const seeds = fc.integer({ min: 0, max: 1 << 30 });

/** An odd number of normal points in general position: every location of them is unique. */
const clouds = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 }), seeds)
  .map(([half, features, seed]) => {
    const random = seeded(seed, 'cloud');
    return Array.from({ length: 2 * half + 1 }, () => normals(random, features));
  });

const spread = (means: readonly Vector[]): number =>
  means.reduce((sum, mean) => sum + norm(subtract(mean, means[0]!)) + norm(mean), 0) / means.length;

function shuffled(means: readonly Vector[], seed: number): Vector[] {
  const random = seeded(seed, 'order');
  return means
    .map(mean => ({ mean, key: uniformDraw(random) }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ mean }) => mean);
}

const sumsOf = (means: readonly Vector[], rowsPerBlock: number): BlockSums<'raw'> => ({
  sums: Float64Array.from(means.flatMap(mean => [...scaled(mean, rowsPerBlock)])),
  blocks: means.length,
  rowsPerBlock,
  privacy: 'raw',
});

/** Row i belongs to block floor(i / rowsPerBlock). */
function blockSumsOf(gradients: readonly Vector[], blocks: number): BlockSums<'raw'> {
  const rowsPerBlock = gradients.length / blocks;
  const features = gradients[0]!.length;
  const sums = new Float64Array(blocks * features);
  gradients.forEach((gradient, i) => {
    const block = Math.floor(i / rowsPerBlock);
    gradient.forEach((value, j) => {
      sums[block * features + j]! += value;
    });
  });
  return { sums, blocks, rowsPerBlock, privacy: 'raw' };
}
