import { expect } from 'chai';
import { medianOf, robustScale, standardize } from '../../../src/inference/pilot/standardized.ts';
import { normal } from '../../../src/math/random/normal.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { dot } from '../../../src/math/vector.ts';
import { sampleBatch } from '../../../src/sample/sampleBatch.ts';
import { normals } from '../../support/linearAlgebra.ts';

const random = seeded('standardized', 'rows');
const rows = 301;
const columns = [
  Float64Array.from({ length: rows }, () => 1e6 + 3 * normal(random)),
  Float64Array.from({ length: rows }, () => 1e-6 * normal(random)),
  new Float64Array(rows).fill(7),
];
const batch = sampleBatch(columns, new Float64Array(rows));

describe('standardize', () => {
  it('brings every column to median 0 and median absolute deviation 1/1.4826, and names the constant ones', () => {
    const { batch: made, constant, scales } = standardize(batch, true);
    for (const j of [0, 1]) {
      const z = made.columns[j]!;
      expect(medianOf(z.slice())).to.equal(0);
      expect(medianOf(z.map(Math.abs))).to.be.closeTo(1 / 1.4826, 1e-12);
      expect(scales[j]! / [3, 1e-6][j]!).to.be.within(0.8, 1.2);
    }
    expect(constant).to.deep.equal([2]);
    expect(made.columns[2]!.every(value => value === 0)).to.equal(true);
    expect(batch.columns[2]![0]).to.equal(7);
  });

  it('shifts nothing where no intercept would take it up', () => {
    const { batch: made, constant, scales } = standardize(batch, false);
    expect(constant).to.deep.equal([]);
    columns.forEach((column, j) => {
      expect(made.columns[j]![0]).to.equal(column[0]! / scales[j]!);
    });
  });

  for (const intercept of [true, false]) {
    it(`keeps every score, and the gradients' products, ${intercept ? 'with' : 'without'} an intercept`, () => {
      const { batch: made, toTheta, ofGradient } = standardize(batch, intercept);
      const t = normals(random, intercept ? 4 : 3);
      const theta = toTheta(t);
      const scoreOf = (at: readonly Float64Array[], by: Float64Array, i: number): number =>
        at.reduce((sum, column, j) => sum + column[i]! * by[j]!, intercept ? by[3]! : 0);
      for (const i of [0, 17, 300]) {
        // The terms of the score are of size 1e6, less what the centre takes away again.
        expect(scoreOf(columns, theta, i)).to.be.closeTo(scoreOf(made.columns, t, i), 1e-8);
      }
      // g.theta and (P'g).t are one number for every g.
      const gradient = normals(random, t.length);
      expect(dot(ofGradient(gradient), t)).to.be.closeTo(dot(gradient, theta), 1e-8 * Math.abs(dot(gradient, theta)));
    });
  }

  it('counts rows as often as their weights say: twice is twice, and 0 is not there', () => {
    const [a] = columns as [Float64Array];
    const head = a.slice(0, 100);
    const twice = sampleBatch([Float64Array.of(...head, ...head.slice(0, 30))], new Float64Array(130));
    const weighted = {
      ...sampleBatch([Float64Array.of(...head, 0, 0, -1e9)], new Float64Array(103)),
      weights: Float64Array.from({ length: 103 }, (_, i) => (i < 30 ? 2 : i < 100 ? 1 : 0)),
    };
    const [copied, counted] = [standardize(twice, true), standardize(weighted, true)];
    expect(counted.scales).to.deep.equal(copied.scales);
    expect(counted.toTheta(Float64Array.of(1, 0))).to.deep.equal(copied.toTheta(Float64Array.of(1, 0)));
    const flat = {
      ...sampleBatch([Float64Array.of(7, 7, 0)], new Float64Array(3)),
      weights: Float64Array.of(1, 1, 0),
    };
    expect(standardize(flat, true).constant).to.deep.equal([0]);
  });
});

describe('spread', () => {
  it('is the standard deviation of normal values, within 4 deviations of its own, and is not moved by a few', () => {
    const draw = Float64Array.from({ length: 20_000 }, () => 2 * normal(random));
    // The median absolute deviation of n normals has a relative error of 1.17/sqrt n.
    expect(robustScale(draw.slice()) / 2).to.be.closeTo(1, (4 * 1.17) / Math.sqrt(20_000));
    const spoilt = draw.map((value, i) => (i % 20 === 0 ? 1e12 : value));
    expect(robustScale(spoilt) / 2).to.be.within(0.95, 1.15);
  });

  it('falls back on the mean where most values are 0, and is 0 where all are', () => {
    expect(robustScale(Float64Array.of(0, 0, 0, -8))).to.be.closeTo(1.2533 * 2, 1e-12);
    expect(robustScale(Float64Array.of(0, -8, 0), Float64Array.of(2, 1, 1))).to.be.closeTo(1.2533 * 2, 1e-12);
    expect(robustScale(new Float64Array(5))).to.equal(0);
  });
});
