import { expect } from 'chai';
import fc from 'fast-check';
import { blockSummer } from '../../../src/engine/kernel/blockSummer.ts';
import { gramFits, gramSummer } from '../../../src/engine/kernel/gramSummer.ts';
import { normal } from '../../../src/math/random/normal.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { squared } from '../../../src/method/loss/squared.ts';
import { rowsBetween, type SampleBatch } from '../../../src/sample/sampleBatch.ts';
import { casesOf } from '../../laws/holdsForAll.ts';

function randomBatch(rows: number, features: number, weighted: boolean): SampleBatch {
  const random = seeded(`${rows} ${features}`, 'gram');
  const column = (): Float64Array => Float64Array.from({ length: rows }, () => normal(random));
  const batch = { rows, columns: Array.from({ length: features }, column), target: column() };
  return weighted ? { ...batch, weights: column().map(Math.abs) } : batch;
}

describe('gramSummer', () => {
  it('agrees with the reference kernel at every point, for any blocks, weights and intercept', () => {
    const cases = fc.record({
      features: fc.integer({ min: 1, max: 12 }),
      blocks: fc.integer({ min: 1, max: 4 }),
      rowsPerBlock: fc.constantFrom(1, 7, 1023, 1024, 1025, 2100),
      intercept: fc.boolean(),
      weighted: fc.boolean(),
    });
    fc.assert(
      fc.property(cases, ({ features, blocks, rowsPerBlock, intercept, weighted }) => {
        const batch = randomBatch(blocks * rowsPerBlock + 3, features, weighted);
        const size = intercept ? features + 1 : features;
        const gram = gramSummer({ size, intercept, blocks, rowsPerBlock });
        expect(gram.add(batch)).to.equal(blocks * rowsPerBlock);
        for (const scale of [0, 1, 100]) {
          const at = Float64Array.from({ length: size }, (_, j) => scale * Math.sin(j + 1));
          const reference = blockSummer({ loss: squared(), at, intercept, blocks, rowsPerBlock });
          reference.add(batch);
          const { sums } = gram.sumsAt(at);
          reference.finish().sums.forEach((sum, k) => {
            expect(sums[k]).to.be.closeTo(sum, 1e-11 * rowsPerBlock * (1 + scale) * size);
          });
        }
      }),
      { seed: 7, numRuns: casesOf(60) },
    );
  });

  it('gives the same bits for any cut into batches', () => {
    const batch = randomBatch(2500, 3, true);
    const request = { size: 4, intercept: true, blocks: 2, rowsPerBlock: 1250 };
    const whole = gramSummer(request);
    whole.add(batch);
    const at = Float64Array.of(1, 2, 3, 4);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2500 }), { maxLength: 6 }), cuts => {
        const edges = [0, ...cuts.sort((a, b) => a - b), 2500];
        const pieces = gramSummer(request);
        for (let k = 1; k < edges.length; k++) pieces.add(rowsBetween(batch, edges[k - 1]!, edges[k]!));
        expect([...pieces.sumsAt(at).sums]).to.deep.equal([...whole.sumsAt(at).sums]);
      }),
      { seed: 8, numRuns: casesOf(50) },
    );
  });

  it('needs all its rows, and refuses points of another size', () => {
    const summer = gramSummer({ size: 2, intercept: false, blocks: 2, rowsPerBlock: 5 });
    summer.add(randomBatch(9, 2, false));
    expect(() => summer.sumsAt(new Float64Array(2))).to.throw('need 10 rows, got 9');
    summer.add(randomBatch(1, 2, false));
    expect(() => summer.sumsAt(new Float64Array(3))).to.throw('the length of at must be 2, got 3');
    expect(() => gramSummer({ size: 0, intercept: false, blocks: 1, rowsPerBlock: 1 })).to.throw('size must');
  });

  it('says when its matrices fit', () => {
    expect(gramFits({ size: 33, intercept: false, blocks: 20 })).to.equal(true);
    expect(gramFits({ size: 34, intercept: false, blocks: 1 })).to.equal(false);
    expect(gramFits({ size: 33, intercept: false, blocks: 10_000 })).to.equal(false);
  });
});
