import { expect } from 'chai';
import { duplicateShare } from '../../../../src/inference/diagnostics/rows/duplicateRows.ts';
import { normal } from '../../../../src/math/random/normal.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';
import { sampleBatch } from '../../../../src/sample/sampleBatch.ts';

const random = seeded(1, 'copiedRows');
const draw = (make: (i: number) => number): Float64Array => Float64Array.from({ length: 400 }, (_, i) => make(i));
const stacked = (values: Float64Array, times: number): Float64Array =>
  Float64Array.from({ length: times * values.length }, (_, i) => values[i % values.length]!);
const x = draw(() => normal(random));
const level = draw(i => i % 3);
const y = draw(i => x[i]! + normal(random));

describe('duplicateShare', () => {
  it('finds rows of a file that was given several times, or in part', () => {
    const five = [x, level, y].map(values => stacked(values, 5));
    expect(duplicateShare(sampleBatch(five.slice(0, 2), five[2]!))).to.equal(0.8);
    const fifty = [x.slice(0, 200), y.slice(0, 200)].map(values => stacked(values, 50));
    expect(duplicateShare(sampleBatch(fifty.slice(0, 1), fifty[1]!))).to.equal(0.98);
    const part = [x, level, y].map(values => Float64Array.from([...values, ...values.slice(0, 20)]));
    expect(duplicateShare(sampleBatch(part.slice(0, 2), part[2]!))).to.be.closeTo(20 / 420, 1e-12);
  });

  it('finds none among rows that are different, though targets or features are alike', () => {
    expect(duplicateShare(sampleBatch([x, level], y))).to.equal(0);
    expect(duplicateShare(sampleBatch([x, level], stacked(y.slice(0, 200), 2)))).to.equal(0);
    expect(duplicateShare(sampleBatch([level], y))).to.equal(0);
  });

  it('takes answers, counts and rounded measurements on a grid for what they are', () => {
    expect(duplicateShare(sampleBatch([level], y.map(Math.round)))).to.equal(0);
    expect(
      duplicateShare(
        sampleBatch(
          [level, draw(i => i % 5)],
          draw(i => (7 * i) % 5),
        ),
      ),
    ).to.equal(0);
    expect(
      duplicateShare(
        sampleBatch(
          [level],
          y.map(value => Math.round(20 * value) / 20),
        ),
      ),
    ).to.equal(0);
  });
});
