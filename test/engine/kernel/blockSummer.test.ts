import { expect } from 'chai';
import fc from 'fast-check';
import { blockSummer } from '../../../src/engine/kernel/blockSummer.ts';
import { TILE_ROWS } from '../../../src/engine/kernel/tiles.ts';
import { ArgumentError } from '../../../src/errors.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { addScaled, distance, dot, filled, norm, type Vector, zeros } from '../../../src/math/vector.ts';
import type { Loss } from '../../../src/method/loss/loss.ts';
import { squared } from '../../../src/method/loss/squared.ts';
import { rowsBetween, type SampleBatch, sampleBatch } from '../../../src/sample/sampleBatch.ts';
import { holdsForAll, uniform } from '../../laws/holdsForAll.ts';
import { direction } from '../../support/linearAlgebra.ts';
import { losses, sampleFor } from '../../support/losses.ts';

const rowOf = (batch: SampleBatch, i: number): Vector => Float64Array.from(batch.columns, column => column[i]!);

function sumAll(loss: Loss, at: Vector, blocks: number, rowsPerBlock: number, ...batches: SampleBatch[]) {
  const summer = blockSummer({ loss, at, blocks, rowsPerBlock });
  for (const batch of batches) summer.add(batch);
  return summer.finish().sums;
}

describe('blockSummer', () => {
  const at = Float64Array.of(0.3, -0.2, 0.5);

  it('sums slope(x.theta, y) x over each block, worked by hand', () => {
    const batch = sampleBatch([Float64Array.of(1, 2, 0, 3), Float64Array.of(1, 0, 5, 1)], Float64Array.of(0, 1, 2, 3));
    const summer = blockSummer({ loss: squared(), at: Float64Array.of(2, 1), blocks: 2, rowsPerBlock: 2 });
    // scores 3, 4, 5, 7 and slopes 3, 3, 3, 4
    expect(summer.add(batch)).to.equal(4);
    expect(summer.finish()).to.deep.equal({
      sums: Float64Array.of(9, 3, 12, 19),
      blocks: 2,
      rowsPerBlock: 2,
      privacy: 'raw',
    });
  });

  for (const loss of losses) {
    it(`equals a double loop over blocks and rows to 1e-12 of the terms: ${loss.name}`, () => {
      for (const [blocks, rowsPerBlock] of [
        [1, 1],
        [7, 3],
        [3, 700],
        [2, TILE_ROWS],
        [2, 2500],
      ] as const) {
        const batch = sampleFor(loss, blocks * rowsPerBlock, 3);
        const sums = sumAll(loss, at, blocks, rowsPerBlock, batch);
        for (let block = 0; block < blocks; block++) {
          let expected = zeros(3);
          let terms = zeros(3);
          for (let i = block * rowsPerBlock; i < (block + 1) * rowsPerBlock; i++) {
            const x = rowOf(batch, i);
            const slope = loss.slope(dot(x, at), batch.target[i]!);
            expected = addScaled(expected, slope, x);
            terms = addScaled(terms, Math.abs(slope), x.map(Math.abs));
          }
          expected.forEach((value, j) => {
            expect(sums[block * 3 + j]).to.be.closeTo(value, 1e-12 * terms[j]!);
          });
        }
      }
    });

    it(`has the sums of a block as the differences of its summed losses: ${loss.name}`, () => {
      const [blocks, rowsPerBlock] = [4, 50];
      const batch = sampleFor(loss, blocks * rowsPerBlock, 3);
      const sums = sumAll(loss, at, blocks, rowsPerBlock, batch);
      const random = seeded(1, 'differences');
      for (let block = 0; block < blocks; block++) {
        const total = (theta: Vector): number => {
          let sum = 0;
          for (let i = block * rowsPerBlock; i < (block + 1) * rowsPerBlock; i++) {
            sum += loss.value(dot(rowOf(batch, i), theta), batch.target[i]!);
          }
          return sum;
        };
        const along = direction(random, 3);
        const h = 1e-5;
        const difference = (total(addScaled(at, h, along)) - total(addScaled(at, -h, along))) / (2 * h);
        const slope = dot(sums.subarray(block * 3, block * 3 + 3), along);
        expect(difference).to.be.closeTo(slope, 1e-7 * rowsPerBlock);
      }
    });
  }

  it('counts a row as many times as its weight says, and one of weight 0 not at all, in any batch', () => {
    const batch = sampleFor(squared(), 12, 3);
    const weights = Float64Array.from({ length: 12 }, (_, i) => i % 4);
    const weighted = { ...batch, weights };
    const [blocks, rowsPerBlock] = [3, 4];
    const sums = sumAll(squared(), at, blocks, rowsPerBlock, weighted);
    for (let block = 0; block < blocks; block++) {
      let expected = zeros(3);
      for (let i = block * rowsPerBlock; i < (block + 1) * rowsPerBlock; i++) {
        const x = rowOf(batch, i);
        const slope = squared().slope(dot(x, at), batch.target[i]!);
        for (let time = 0; time < weights[i]!; time++) expected = addScaled(expected, slope, x);
      }
      expect(distance(sums.subarray(block * 3, block * 3 + 3), expected)).to.be.below(1e-14);
    }
    const parts = [rowsBetween(weighted, 0, 5), rowsBetween(weighted, 5, 12)];
    expect(sumAll(squared(), at, blocks, rowsPerBlock, ...parts)).to.deep.equal(sums);
    const ones = { ...batch, weights: filled(12, 1) };
    expect(sumAll(squared(), at, blocks, rowsPerBlock, ones)).to.deep.equal(
      sumAll(squared(), at, blocks, rowsPerBlock, batch),
    );
  });

  it('takes an intercept as if every row ended in a 1', () => {
    for (const loss of losses) {
      const batch = sampleFor(loss, 3000, 2);
      const withOnes = sampleBatch([...batch.columns, filled(3000, 1)], batch.target);
      const summer = blockSummer({ loss, at, blocks: 2, rowsPerBlock: 1500, intercept: true });
      summer.add(batch);
      const plain = sumAll(loss, at, 2, 1500, withOnes);
      expect(distance(summer.finish().sums, plain)).to.be.below(1e-12 * norm(plain));
    }
  });

  it('adds row by row within tiles of 1,024, and tile by tile within a block, to the last bit', () => {
    const [blocks, rowsPerBlock] = [2, 2500];
    const batch = sampleFor(squared(), blocks * rowsPerBlock, 1);
    const theta = Float64Array.of(0.7);
    const [x, y] = [batch.columns[0]!, batch.target];
    const expected = new Float64Array(blocks);
    for (let block = 0; block < blocks; block++) {
      for (let tile = 0; tile < rowsPerBlock; tile += 1024) {
        let sum = 0;
        for (let i = tile; i < Math.min(tile + 1024, rowsPerBlock); i++) {
          const row = block * rowsPerBlock + i;
          sum += (x[row]! * theta[0]! - y[row]!) * x[row]!;
        }
        expected[block]! += sum;
      }
    }
    expect(sumAll(squared(), theta, blocks, rowsPerBlock, batch)).to.deep.equal(expected);
  });

  it('gives the same bits for any cut of the rows into batches, empty ones included', () => {
    const layouts = fc.constantFrom(
      [40, 1],
      [9, 100],
      [3, TILE_ROWS - 1],
      [3, TILE_ROWS],
      [3, TILE_ROWS + 1],
      [2, 2 * TILE_ROWS],
      [2, 2500],
      [1, 5000],
    ) as fc.Arbitrary<[blocks: number, rowsPerBlock: number]>;
    const cuts = fc.array(fc.oneof(uniform(0, 1), fc.constantFrom(0, TILE_ROWS / 5000, (2 * TILE_ROWS) / 5000, 1)), {
      maxLength: 8,
    });
    const leftOver = fc.constantFrom(0, 1, 30);
    const loss = losses[3]!;
    holdsForAll(
      fc.property(layouts, cuts, leftOver, ([blocks, rowsPerBlock], shares, extra) => {
        const rows = blocks * rowsPerBlock + extra;
        const whole = sampleFor(loss, rows, 3);
        const edges = [0, ...shares.map(share => Math.floor(share * rows)).toSorted((a, b) => a - b), rows];
        const summer = blockSummer({ loss, at, blocks, rowsPerBlock });
        const used = edges.slice(1).map((edge, i) => summer.add(rowsBetween(whole, edges[i]!, edge)));
        expect(used.reduce((sum, count) => sum + count, 0)).to.equal(rows - extra);
        expect(summer.finish().sums).to.deep.equal(sumAll(loss, at, blocks, rowsPerBlock, whole));
      }),
    );
  });

  it('uses no row past the last block, and says so', () => {
    const batch = sampleFor(squared(), 10, 3);
    const summer = blockSummer({ loss: squared(), at, blocks: 2, rowsPerBlock: 3 });
    expect(summer.add(rowsBetween(batch, 0, 4))).to.equal(4);
    expect(summer.add(rowsBetween(batch, 4, 10))).to.equal(2);
    const { sums } = summer.finish();
    const kept = sums.slice();
    expect(summer.add(batch)).to.equal(0);
    expect(summer.finish().sums).to.deep.equal(kept);
    expect(kept).to.deep.equal(sumAll(squared(), at, 2, 3, rowsBetween(batch, 0, 6)));
  });

  it('refuses to finish before every block is full', () => {
    const summer = blockSummer({ loss: squared(), at, blocks: 2, rowsPerBlock: 3 });
    summer.add(sampleFor(squared(), 5, 3));
    expect(() => summer.finish()).to.throw(ArgumentError, '2 blocks of 3 rows need 6 rows, got 5');
    summer.add(sampleFor(squared(), 1, 3));
    expect(summer.finish().sums).to.have.length(6);
  });

  it('reads memory that holds more than the rows of the batch, and writes to none of it', () => {
    const batch = sampleFor(squared(), 8, 3);
    const before = structuredClone(batch);
    const partial = { ...batch, rows: 6 };
    expect(sumAll(squared(), at, 2, 3, partial)).to.deep.equal(sumAll(squared(), at, 2, 3, rowsBetween(batch, 0, 6)));
    expect(batch).to.deep.equal(before);
    expect(at).to.deep.equal(Float64Array.of(0.3, -0.2, 0.5));
  });

  it('refuses points, layouts and batches that do not fit, by name', () => {
    const request = { loss: squared(), at, blocks: 2, rowsPerBlock: 3 };
    const bad: [part: object, message: string][] = [
      [{ at: zeros(0) }, 'at must have at least one coordinate'],
      [{ at: Float64Array.of(0, NaN, 0) }, 'at[1] must be a finite number, got NaN'],
      [{ blocks: 0 }, 'blocks must be a whole number of at least 1, got 0'],
      [{ blocks: NaN }, 'blocks must be a whole number of at least 1, got NaN'],
      [{ rowsPerBlock: 2.5 }, 'rowsPerBlock must be a whole number of at least 1, got 2.5'],
      [{ rowsPerBlock: -3 }, 'rowsPerBlock must be a whole number of at least 1, got -3'],
    ];
    for (const [part, message] of bad) {
      expect(() => blockSummer({ ...request, ...part })).to.throw(ArgumentError, message);
    }
    const batch = sampleFor(squared(), 6, 3);
    const misfits: [batch: SampleBatch, message: string][] = [
      [sampleFor(squared(), 6, 2), 'the length of batch.columns must be 3, got 2'],
      [{ ...batch, rows: 7 }, 'the length of batch.columns[0] must be at least batch.rows = 7, got 6'],
      [{ ...batch, target: filled(5, 1) }, 'the length of batch.target must be at least batch.rows = 6, got 5'],
      [{ ...batch, rows: NaN }, 'batch.rows must be a whole number of at least 0, got NaN'],
    ];
    for (const [misfit, message] of misfits) {
      expect(() => blockSummer(request).add(misfit)).to.throw(ArgumentError, message);
    }
  });
});
