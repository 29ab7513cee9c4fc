import { expect } from 'chai';
import { ArgumentError } from '../../src/errors.ts';
import { geometricMedian } from '../../src/method/aggregate/geometricMedian.ts';
import { mean } from '../../src/method/aggregate/mean.ts';
import { type BlockSums, featuresOf } from '../../src/sample/gradientSums.ts';

const sums = (length: number, part: Partial<BlockSums> = {}): BlockSums => ({
  sums: new Float64Array(length),
  blocks: 3,
  rowsPerBlock: 5,
  privacy: 'raw',
  ...part,
});

describe('featuresOf', () => {
  it('is the length of the sums over the blocks', () => {
    expect(featuresOf(sums(12))).to.equal(4);
    expect(featuresOf(sums(3))).to.equal(1);
  });

  it('refuses sums that the blocks do not divide, and counts that are none', () => {
    for (const length of [0, 1, 10]) {
      expect(() => featuresOf(sums(length))).to.throw(
        ArgumentError,
        `the length of sums must be a multiple of blocks = 3, got ${length}`,
      );
    }
    for (const bad of [0, -3, 1.5, NaN, Infinity]) {
      expect(() => featuresOf(sums(12, { blocks: bad }))).to.throw(ArgumentError, `blocks must be a whole number`);
      expect(() => featuresOf(sums(12, { rowsPerBlock: bad }))).to.throw(
        ArgumentError,
        `rowsPerBlock must be a whole number of at least 1, got ${bad}`,
      );
    }
  });

  it('refuses sums on a grid, so that no aggregator takes their units for gradients', () => {
    const message = 'the sums count steps of a grid of 0.5';
    expect(() => featuresOf(sums(12, { grid: 0.5 }))).to.throw(ArgumentError, message);
    for (const { aggregate } of [mean(), geometricMedian()]) {
      expect(() => aggregate(sums(12, { grid: 0.5 }))).to.throw(ArgumentError, message);
    }
  });
});
