import { expect } from 'chai';
import { normal } from '../../../src/math/random/normal.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { norm } from '../../../src/math/vector.ts';
import { medianOfPoints, medianVariance } from '../../../src/method/aggregate/geometricMedian.ts';

describe('medianVariance', () => {
  it('is pi/2 on the line, 4/pi in the plane, and goes to 1', () => {
    expect(medianVariance(1)).to.be.closeTo(Math.PI / 2, 1e-12);
    expect(medianVariance(2)).to.be.closeTo(4 / Math.PI, 1e-12);
    expect(medianVariance(3)).to.be.closeTo((3 * Math.PI) / 8, 1e-12);
    for (let r = 1; r < 50; r++) expect(medianVariance(r + 1)).to.be.below(medianVariance(r));
    expect(medianVariance(1000)).to.be.within(1, 1.002);
  });

  it('is what medians of normal points have', () => {
    const random = seeded('medianVariance', 'points');
    for (const dimension of [2, 5]) {
      let sum = 0;
      const [runs, count] = [4000, 21];
      for (let run = 0; run < runs; run++) {
        const points = Array.from({ length: count }, () =>
          Float64Array.from({ length: dimension }, () => normal(random)),
        );
        sum += norm(medianOfPoints(points)) ** 2 / (dimension / count);
      }
      expect(sum / runs).to.be.closeTo(medianVariance(dimension), 0.06);
    }
  });

  it('refuses what is no dimension', () => {
    expect(() => medianVariance(0)).to.throw('dimension');
  });
});
