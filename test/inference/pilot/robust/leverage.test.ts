import { expect } from 'chai';
import { leverageOf } from '../../../../src/inference/pilot/robust/leverage.ts';
import { normal } from '../../../../src/math/random/normal.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';
import { type SampleBatch, sampleBatch } from '../../../../src/sample/sampleBatch.ts';

const rows = 2000;
const drawn = (features: number, spoil: (row: number[], i: number) => void = () => {}) => {
  const random = seeded('leverage', `${features} features`);
  const points = Array.from({ length: rows }, (_, i) => {
    const row = Array.from({ length: features }, () => normal(random));
    spoil(row, i);
    return row;
  });
  const columns = Array.from({ length: features }, (_, j) => Float64Array.from(points, point => point[j]!));
  return sampleBatch(columns, new Float64Array(rows));
};

function leverageWeights(batch: SampleBatch): Float64Array {
  const given = batch.weights ?? new Float64Array(batch.rows).fill(1);
  const leverage = leverageOf(batch, given, true);
  return leverage.weights(leverage.squares(batch.columns, batch.rows)).map((weight, i) => weight * given[i]!);
}

describe('leverageOf', () => {
  it('measures squared distances from the mean by the covariance', () => {
    const batch = drawn(3, row => {
      row[0]! += 0.5;
      row[2] = 2 * row[2]! + row[1]!;
    });
    const { squares, slopes } = leverageOf(batch, new Float64Array(rows).fill(1), true);
    const found = squares(batch.columns, rows);
    expect(slopes).to.equal(3);
    // By their definition squared distances of the very rows are 3 on average, but for the rows that the weights hold
    // back.
    expect(found.reduce((sum, square) => sum + square, 0) / rows).to.be.within(2.9, 3.6);
    const [a, b, c] = batch.columns as [Float64Array, Float64Array, Float64Array];
    const others = [a.map((x, i) => x - b[i]!), b, c];
    const turned = leverageOf(sampleBatch(others, batch.target), new Float64Array(rows).fill(1), true);
    expect(turned.slopes).to.equal(3);
    const again = turned.squares(others, rows);
    found.forEach((square, i) => {
      // As the law has it, whose moments are not quite those of the rows; and in whichever columns they are told.
      const drawn = (a[i]! - 0.5) ** 2 + b[i]! ** 2 + ((c[i]! - b[i]!) / 2) ** 2;
      expect(Math.abs(square - drawn)).to.be.below(0.15 * (1 + drawn));
      expect(Math.abs(again[i]! - square)).to.be.below(0.05 * (1 + square));
    });
  });

  it('is 1 for rows as normal features have them', () => {
    for (const features of [1, 3, 10]) {
      const light = leverageWeights(drawn(features)).filter(weight => weight < 1);
      // Beyond 3 + sqrt p are fewer than 1 in 2,000 normal points; 10 of 2,000 come about once in 1e7 samples.
      expect(light.length, `${features}`).to.be.below(10);
    }
  });

  it('bounds w d^2 for rows that are far off in one feature', () => {
    const weights = leverageWeights(
      drawn(3, (row, i) => {
        if (i % 20 === 0) row[1] = 1000 + i;
      }),
    );
    weights.forEach((weight, i) => {
      if (i % 20 === 0) expect(weight).to.be.below(1e-4);
      else expect(weight).to.be.above(0.3);
    });
  });

  it('sees rows that are unusual only in how their features go together', () => {
    const random = seeded('leverage', 'together');
    const weights = leverageWeights(
      drawn(2, (row, i) => {
        row[1] = row[0]! + normal(random) / 100;
        if (i % 40 === 0) [row[0], row[1]] = [1, -1];
      }),
    );
    const odd = weights.filter((_, i) => i % 40 === 0);
    expect(Math.max(...odd)).to.be.below(0.9);
    expect(weights.filter((weight, i) => i % 40 !== 0 && weight < 1).length).to.be.below(20);
  });

  it('multiplies the weights that rows have, and takes columns that others make up', () => {
    const batch = drawn(2);
    const given = Float64Array.from({ length: rows }, (_, i) => i % 3);
    const plain = leverageWeights({ ...batch, weights: given });
    plain.forEach((weight, i) => {
      expect(weight).to.be.within(0, given[i]!);
    });
    expect(plain.filter((weight, i) => weight === given[i]).length).to.be.above(rows - 20);
    const doubled = leverageWeights(sampleBatch([...batch.columns, batch.columns[0]!], batch.target));
    expect(doubled.every(Number.isFinite)).to.equal(true);
    expect(doubled.filter(weight => weight === 1).length).to.be.above(rows - 20);
    const flat = leverageWeights(sampleBatch([new Float64Array(rows)], batch.target));
    expect(flat.every(weight => weight === 1)).to.equal(true);
  });
});
