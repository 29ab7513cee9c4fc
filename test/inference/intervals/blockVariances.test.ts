import { expect } from 'chai';
import { type BlockVariances, blockVariances } from '../../../src/inference/intervals/blockVariances.ts';
import type { Coordinates } from '../../../src/math/coordinates.ts';
import { normal } from '../../../src/math/random/normal.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { studentT } from '../../../src/math/random/studentT.ts';
import { type Vector, zeros } from '../../../src/math/vector.ts';
import type { BlockSums } from '../../../src/sample/gradientSums.ts';
import { type Rows, solveBy } from '../../support/linearAlgebra.ts';

const asTheyAre = (size: number): Coordinates => ({
  size,
  rank: size,
  toTheta: phi => phi,
  ofGradient: gradient => gradient,
});

async function spreadOf(
  sums: readonly BlockSums[],
  coordinates: Coordinates,
  mode: 'fresh' | 'full' = 'fresh',
): Promise<BlockVariances | null> {
  const watch = blockVariances({ mode }, coordinates);
  for (const each of sums) watch.look(each);
  return watch.found();
}

const sumsOf = (means: readonly (readonly number[])[], rowsPerBlock: number): BlockSums<'raw'> => ({
  sums: Float64Array.from(means.flat().map(mean => mean * rowsPerBlock)),
  blocks: means.length,
  rowsPerBlock,
  privacy: 'raw',
});

describe('blockVariances', () => {
  it('is the variance of block means, times the rows of a block', async () => {
    const { variances, degrees, noise } = (await spreadOf(
      [
        sumsOf(
          [
            [1, 0],
            [3, 0],
            [2, 0],
          ],
          8,
        ),
      ],
      asTheyAre(2),
    ))!;
    // Deviations -1, 1, 0: 2 * 8 / 2 degrees.
    expect(variances[0]).to.be.closeTo(8, 1e-12);
    expect(variances[1]).to.equal(0);
    expect(noise).to.be.closeTo(8, 1e-12);
    expect(degrees).to.equal(2);
  });

  it('pools the steps on fresh chunks, each around its own mean, and lets the last speak where all see the same rows', async () => {
    const steps = [sumsOf([[1], [3], [2]], 8), sumsOf([[100], [106], [103]], 2)];
    expect((await spreadOf(steps, asTheyAre(1)))!.variances[0]).to.be.closeTo((16 + 36) / 4, 1e-9);
    expect((await spreadOf(steps, asTheyAre(1), 'full'))!.variances[0]).to.be.closeTo(36 / 2, 1e-9);
  });

  it('knows nothing from a single block, or from none', async () => {
    expect(await spreadOf([], asTheyAre(1))).to.equal(null);
    expect(await spreadOf([sumsOf([[1]], 8)], asTheyAre(1))).to.equal(null);
  });

  it('agrees with the sandwich covariance of the rows, which differ in their noise', async () => {
    const random = seeded('blockSpread', 'sandwich');
    const [size, blocks, rowsPerBlock] = [3, 400, 50];
    const second = zeros(size * size);
    const middle = zeros(size * size);
    const sums = new Float64Array(blocks * size);
    for (let i = 0; i < blocks * rowsPerBlock; i++) {
      const a = normal(random);
      const x = [a, 2 * a + normal(random), 1];
      const residual = (1 + Math.abs(a)) * studentT(random, 8);
      for (let j = 0; j < size; j++) {
        sums[Math.floor(i / rowsPerBlock) * size + j]! += residual * x[j]!;
        for (let k = 0; k < size; k++) {
          second[j * size + k]! += (x[j]! * x[k]!) / (blocks * rowsPerBlock);
          middle[j * size + k]! += (residual ** 2 * x[j]! * x[k]!) / (blocks * rowsPerBlock);
        }
      }
    }
    const rowsOf = (matrix: Vector): Rows => [0, 1, 2].map(j => matrix.slice(j * size, (j + 1) * size));
    const inverse = (v: Vector): Vector => solveBy(rowsOf(second), v);
    const { variances } = (await spreadOf([{ sums, blocks, rowsPerBlock, privacy: 'raw' }], {
      ...asTheyAre(size),
      // P = A^-1 and P' = I will do: only their product enters the variances.
      toTheta: inverse,
    }))!;
    for (let j = 0; j < size; j++) {
      // (A^-1 B A^-1)_jj
      const row = inverse(zeros(size).with(j, 1));
      const times = rowsOf(middle).map(own => own.reduce((sum, value, k) => sum + value * row[k]!, 0));
      const sandwich = times.reduce((sum, value, k) => sum + value * row[k]!, 0);
      // A variance over 399 degrees has a relative error of sqrt(2/399) = 0.07; blocks that count as far lower it by 1
      // % or so.
      expect(variances[j]! / sandwich).to.be.within(0.65, 1.35);
    }
  });
});
