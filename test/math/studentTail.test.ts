import { expect } from 'chai';
import { studentQuantile, studentTail } from '../../src/math/studentTail.ts';

describe('studentTail', () => {
  it('agrees with the incomplete beta function in 40 digits, by mpmath', () => {
    for (const [t, degrees, expected] of [
      [0.5, 1, 0.7048327646991335],
      [12.7062047, 1, 0.05000000014176588],
      [0.1, 3, 0.9266523488008058],
      [2, 3, 0.1393259685588432],
      [3.5, 4, 0.02489616346022275],
      [0.01, 7, 0.9923003176436218],
      [2.5, 10, 0.031446844236608804],
      [10, 10, 1.5895531755964119e-6],
      [40, 12, 3.851229580772034e-14],
      [1.3, 57, 0.1988334754317607],
      [6, 200, 9.115120348810386e-9],
      [2, 5000, 0.045554259988293974],
      [30, 5000, 5.691658117861702e-182],
      [9, 123_456, 2.2880987613015965e-19],
      [3, 2_000_000, 0.002699829302232136],
    ] as const) {
      const found = studentTail(t, degrees);
      expect(found / expected, `${t}, ${degrees}`).to.be.closeTo(1, 1e-10);
      expect(studentTail(-t, degrees)).to.equal(found);
    }
  });

  it('is that of a normal variable without degrees of freedom', () => {
    for (const [z, expected] of [
      [0.001, 0.9992021155721779],
      [1.96, 0.04999579029644087],
      [2.9, 0.003731626600768076],
      [3.1, 0.0019352064264367137],
      [5, 5.733031437583878e-7],
      [10, 1.523970604832105e-23],
      [37, 1.1451142445049154e-299],
    ] as const)
      expect(studentTail(z) / expected, `${z}`).to.be.closeTo(1, 1e-12);
  });

  it('undoes the quantiles', () => {
    for (const degrees of [1, 2, 5, 40, 3000])
      expect(studentTail(studentQuantile(0.975, degrees), degrees)).to.be.closeTo(0.05, 1e-5);
  });

  it('is 1 at 0, 0 at infinity and unknown for NaN', () => {
    expect([studentTail(0, 3), studentTail(-Infinity, 3), studentTail(Infinity)]).to.deep.equal([1, 0, 0]);
    expect(studentTail(NaN, 3)).to.be.NaN;
  });
});
