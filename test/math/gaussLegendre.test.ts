import { expect } from 'chai';
import { integratePanel } from '../../src/math/gaussLegendre.ts';

describe('integratePanel', () => {
  it('integrates powers up to the 39th exactly, on several panels', () => {
    for (const [low, high] of [
      [-1, 1],
      [0, 1],
      [-2, 0.5],
      [3, 3.25],
    ] as const) {
      for (let degree = 0; degree <= 39; degree++) {
        const antiderivative = (x: number) => x ** (degree + 1) / (degree + 1);
        const terms = Math.abs(antiderivative(low)) + Math.abs(antiderivative(high));
        expect(integratePanel(x => x ** degree, low, high)).to.be.closeTo(
          antiderivative(high) - antiderivative(low),
          1e-14 * terms,
        );
      }
    }
  });

  it('integrates Legendre polynomials up to the 39th to 0, and misses the square of the 20th', () => {
    const legendre = (degree: number) => (x: number) => {
      let [previous, current] = [0, 1];
      for (let k = 1; k <= degree; k++) {
        [previous, current] = [current, ((2 * k - 1) * x * current - (k - 1) * previous) / k];
      }
      return current;
    };
    for (let degree = 1; degree <= 39; degree++) {
      expect(integratePanel(legendre(degree), -1, 1)).to.be.closeTo(0, 1e-14);
    }
    // Its nodes are the roots of that polynomial: degree 40 is the first that fails, and wholly.
    expect(integratePanel(x => legendre(20)(x) ** 2, -1, 1)).to.be.closeTo(0, 1e-25);
    expect(integratePanel(x => legendre(19)(x) ** 2, -1, 1)).to.be.closeTo(2 / 39, 1e-15);
  });

  it('integrates smooth functions to the last digits', () => {
    expect(integratePanel(Math.exp, -1, 1)).to.be.closeTo(Math.E - 1 / Math.E, 1e-15 * 4);
    expect(integratePanel(x => 1 / (1 + x * x), 0, 1)).to.be.closeTo(Math.PI / 4, 1e-15);
  });

  it('is 0 on an empty panel and changes sign with the direction', () => {
    expect(integratePanel(Math.exp, 2, 2)).to.equal(0);
    expect(integratePanel(Math.exp, 1, 0)).to.be.closeTo(1 - Math.E, 1e-15);
  });
});
