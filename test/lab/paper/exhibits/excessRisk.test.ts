import { expect } from 'chai';
import { logisticExcess, squaredExcess } from '../../../../src/lab/paper/exhibits/excessRisk.ts';
import * as synthetic from '../../../../src/lab/synthetic/figures.ts';
import { normal } from '../../../../src/math/random/normal.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';
import { norm, scaled } from '../../../../src/math/vector.ts';

describe('squaredExcess', () => {
  const { batch } = synthetic.plot1(300, 5, { features: 4 });
  const radius = 0.1;

  it('is the difference of mean squared errors, halved', () => {
    const excess = squaredExcess(batch, radius);
    const risk = (theta: readonly number[]): number => {
      let sum = 0;
      for (let i = 0; i < batch.rows; i++) {
        const score = theta.reduce((total, value, j) => total + value * batch.columns[j]![i]!, 0);
        sum += (batch.target[i]! - score) ** 2 / 2;
      }
      return sum / batch.rows;
    };
    const [a, b] = [
      [0.01, -0.02, 0.03, 0.04],
      [0.05, 0.05, 0, 0],
    ] as const;
    expect(excess(Float64Array.from(a)) - excess(Float64Array.from(b))).to.be.closeTo(risk(a) - risk(b), 1e-12);
  });

  it('is at least 0 on the sphere, and nearly 0 at the best of many points there', () => {
    const excess = squaredExcess(batch, radius);
    const random = seeded(1, 'sphere');
    const values = Array.from({ length: 20_000 }, () => {
      const point = Float64Array.from({ length: 4 }, () => normal(random));
      return excess(scaled(point, radius / norm(point)));
    });
    expect(Math.min(...values)).to.be.within(0, 1e-3);
  });
});

describe('logisticExcess', () => {
  it('is at least 0 everywhere, has its minimum 0, and is the difference of mean losses', () => {
    const { batch } = synthetic.plot2(500, 5, { features: 2 });
    const excess = logisticExcess(batch);
    const values: number[] = [];
    for (let a = -1; a <= 3; a += 0.02) {
      for (let b = -1; b <= 3; b += 0.02) values.push(excess(Float64Array.of(a, b)));
    }
    expect(Math.min(...values)).to.be.within(0, 1e-5);
    const ones = batch.target.reduce((sum, y) => sum + y, 0);
    const atHalf = excess(Float64Array.of(0.5, 0));
    let loss = 0;
    for (let i = 0; i < batch.rows; i++) {
      const score = batch.columns[0]![i]! / 2;
      loss += Math.log(1 + Math.exp(score)) - batch.target[i]! * score;
    }
    expect(ones).to.be.above(0);
    expect(excess(new Float64Array(2)) - atHalf).to.be.closeTo(Math.LN2 - loss / batch.rows, 1e-12);
  });

  it('is measured from the best point of a sphere where a radius is given', () => {
    const { batch } = synthetic.plot2(500, 5, { features: 2 });
    for (const radius of [0.1, 0.5]) {
      const excess = logisticExcess(batch, radius);
      const angles = Array.from({ length: 6284 }, (_, k) => k / 1000);
      const values = angles.map(angle => excess(Float64Array.of(radius * Math.cos(angle), radius * Math.sin(angle))));
      expect(Math.min(...values)).to.be.within(-1e-15, 1e-8);
      expect(excess(new Float64Array(2)), 'within the ball').to.be.above(0);
    }
  });
});
