import { expect } from 'chai';
import { blockSummer } from '../../../src/engine/kernel/blockSummer.ts';
import { LARGEST_CHUNK_BYTES, rowGradients } from '../../../src/engine/kernel/rowGradients.ts';
import { ArgumentError } from '../../../src/errors.ts';
import { distance, filled, norm, zeros } from '../../../src/math/vector.ts';
import { squared } from '../../../src/method/loss/squared.ts';
import { sampleBatch } from '../../../src/sample/sampleBatch.ts';
import { losses, sampleFor } from '../../support/losses.ts';

describe('rowGradients', () => {
  const at = Float64Array.of(0.3, -0.2, 0.5);

  it('is slope(x.theta, y) x, row by row, worked by hand', () => {
    const batch = sampleBatch([Float64Array.of(1, 2, 0), Float64Array.of(1, 0, 5)], Float64Array.of(0, 1, 2));
    expect(rowGradients(batch, { loss: squared(), at: Float64Array.of(2, 1) })).to.deep.equal({
      count: 3,
      size: 2,
      values: Float64Array.of(3, 3, 6, 0, 0, 15),
    });
  });

  it('multiplies a row by its weight, so that one of weight 0 is a zero gradient in its place', () => {
    const batch = sampleBatch([Float64Array.of(1, 2, 0), Float64Array.of(1, 0, 5)], Float64Array.of(0, 1, 2));
    const weighted = { ...batch, weights: Float64Array.of(2, 0, 1) };
    const { count, values } = rowGradients(weighted, { loss: squared(), at: Float64Array.of(2, 1) });
    expect(count).to.equal(3);
    expect(values).to.deep.equal(Float64Array.of(6, 6, 0, 0, 0, 15));
  });

  it('takes an intercept as if the row ended in a 1', () => {
    for (const loss of losses) {
      const batch = sampleFor(loss, 20, 2);
      const withOnes = sampleBatch([...batch.columns, filled(20, 1)], batch.target);
      const plain = rowGradients(withOnes, { loss, at });
      const given = rowGradients(batch, { loss, at, intercept: true });
      expect(given).to.include({ count: 20, size: 3 });
      expect(distance(given.values, plain.values)).to.be.below(1e-14 * norm(plain.values));
    }
  });

  it('adds up to the sums of the kernel, for every loss', () => {
    for (const loss of losses) {
      const [blocks, rowsPerBlock] = [3, 1100];
      const batch = sampleFor(loss, blocks * rowsPerBlock, 3);
      const summer = blockSummer({ loss, at, blocks, rowsPerBlock });
      summer.add(batch);
      const { sums } = summer.finish();
      const { values } = rowGradients(batch, { loss, at });
      for (let block = 0; block < blocks; block++) {
        for (let j = 0; j < 3; j++) {
          let [sum, terms] = [0, 0];
          for (let i = block * rowsPerBlock; i < (block + 1) * rowsPerBlock; i++) {
            sum += values[i * 3 + j]!;
            terms += Math.abs(values[i * 3 + j]!);
          }
          expect(sums[block * 3 + j]).to.be.closeTo(sum, 1e-12 * terms);
        }
      }
    }
  });

  it('refuses a chunk whose gradients exceed the memory limit, and says what to do', () => {
    const batch = sampleFor(squared(), 10, 3);
    expect(rowGradients(batch, { loss: squared(), at }, 240).values).to.have.length(30);
    expect(() => rowGradients(batch, { loss: squared(), at }, 239)).to.throw(
      ArgumentError,
      'the gradients of 10 rows x 3 features take 240 bytes, more than the limit of 239; use more steps or median-of-means',
    );
    expect(() => rowGradients(batch, { loss: squared(), at }, NaN)).to.throw(
      ArgumentError,
      'more than the limit of NaN',
    );
    expect(LARGEST_CHUNK_BYTES).to.equal(2 ** 30);
  });

  it('refuses points and batches that do not fit, by name, and writes to neither', () => {
    const batch = sampleFor(squared(), 10, 3);
    const before = structuredClone(batch);
    expect(() => rowGradients(batch, { loss: squared(), at: zeros(2) })).to.throw(
      ArgumentError,
      'the length of batch.columns must be 2, got 3',
    );
    expect(() => rowGradients(batch, { loss: squared(), at: zeros(0) })).to.throw(
      ArgumentError,
      'at must have at least one',
    );
    for (const bad of [NaN, Infinity]) {
      expect(() => rowGradients(batch, { loss: squared(), at: Float64Array.of(0, 0, bad) })).to.throw(
        ArgumentError,
        `at[2] must be a finite number, got ${bad}`,
      );
    }
    expect(() => rowGradients({ ...batch, rows: 11 }, { loss: squared(), at })).to.throw(
      ArgumentError,
      'the length of batch.columns[0] must be at least batch.rows = 11, got 10',
    );
    rowGradients(batch, { loss: squared(), at }).values.fill(0);
    expect(batch).to.deep.equal(before);
  });
});
