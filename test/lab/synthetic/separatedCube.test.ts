import { expect } from 'chai';
import { separatedCube } from '../../../src/lab/synthetic/covariates.ts';
import { uniformBetween } from '../../../src/math/random/random.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { draws, ksDistance, ksThreshold, mean, meanThreshold } from '../../support/statistics.ts';

const COUNT = 2e4;
const sum = (row: Float64Array) => row.reduce((total, x) => total + x, 0);

function rowsOf(features: number, count = COUNT): Float64Array[] {
  const random = seeded(1, `separatedCube ${features}`);
  return Array.from({ length: count }, () => {
    const row = new Float64Array(features);
    separatedCube(random, row);
    return row;
  });
}

describe('separatedCube', () => {
  for (const features of [1, 2, 10, 200]) {
    it(`stays in the cube and keeps the margin for p = ${features}`, () => {
      for (const row of rowsOf(features, 500)) {
        expect(Math.max(...row.map(Math.abs))).to.be.at.most(1);
        expect(Math.abs(sum(row))).to.be.at.least((features / 2) * (1 - 1e-12));
      }
    });
  }

  it('has even sides', () => {
    expect(mean(rowsOf(10).map(row => Math.sign(sum(row))))).to.be.closeTo(0, meanThreshold(COUNT, 2));
  });

  for (const features of [1, 3, 10]) {
    it(`has the law of the sum of p = ${features} uniforms beyond the margin`, () => {
      const shortfalls = Float64Array.from(rowsOf(features), row => (features - Math.abs(sum(row))) / 2);
      const cdf = (x: number) => irwinHall(features, x) / irwinHall(features, features / 4);
      expect(ksDistance(shortfalls, cdf)).to.be.below(ksThreshold(COUNT));
    });
  }

  it('has the coordinates that plain rejection gives', () => {
    const random = seeded(1, 'plain rejection');
    const plain = draws(COUNT, () => {
      const row = new Float64Array(4);
      while (Math.abs(sum(row)) < 2)
        row.forEach((_, j) => {
          row[j] = uniformBetween(random, -1, 1);
        });
      return row[2]!;
    }).sort();
    const share = (x: number) => (plain.findLastIndex(y => y <= x) + 1) / COUNT;
    const sample = Float64Array.from(rowsOf(4, 2000), row => row[2]!);
    expect(ksDistance(sample, share)).to.be.below(ksThreshold(2000) + ksThreshold(COUNT));
  });
});

/** P(sum of p uniforms on [0, 1] <= x), by an alternating sum that is accurate for small x. */
function irwinHall(features: number, x: number): number {
  let total = 0;
  for (let k = 0, choose = 1; k < x; choose *= (k - features) / (k + 1), k++) total += choose * (x - k) ** features;
  for (let k = 2; k <= features; k++) total /= k;
  return total;
}
