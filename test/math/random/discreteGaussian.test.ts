import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { discreteGaussian } from '../../../src/math/random/discreteGaussian.ts';
import { secure } from '../../../src/math/random/secure.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import {
  chiSquare,
  chiSquareThreshold,
  draws,
  ksThreshold,
  mean,
  meanThreshold,
  normalCdf,
} from '../../support/statistics.ts';

const COUNT = 200_000;

/** exp(-k^2 / (2 s^2)) / sum, by adding up all that a double can hold. */
function masses(scale: number): Map<number, number> {
  const reach = 39 * scale;
  const values = Array.from({ length: 2 * reach + 1 }, (_, i) => i - reach);
  const total = values.reduce((sum, k) => sum + Math.exp(-(k * k) / (2 * scale * scale)), 0);
  return new Map(values.map(k => [k, Math.exp(-(k * k) / (2 * scale * scale)) / total]));
}

/** P(X <= x); beyond s = 2^10 the sum is the integral of a normal density to more digits than a double has. */
function cdfOf(scale: number): (x: number) => number {
  if (scale > 2 ** 10) return x => normalCdf((x + 0.5) / scale);
  const table = new Map<number, number>();
  let sum = 0;
  for (const [x, mass] of masses(scale)) {
    sum += mass;
    table.set(x, sum);
  }
  return x => table.get(x)!;
}

/** The Kolmogorov-Smirnov distance to a law on the whole numbers; Massart's bound holds for every law. */
function latticeDistance(sample: Float64Array, cdf: (x: number) => number): number {
  const sorted = sample.toSorted();
  return sorted.reduce((distance, x, i) => {
    const below = x === sorted[i - 1] ? 0 : Math.abs(cdf(x - 1) - i / sorted.length);
    const upTo = x === sorted[i + 1] ? 0 : Math.abs(cdf(x) - (i + 1) / sorted.length);
    return Math.max(distance, below, upTo);
  }, 0);
}

// False alarms: at most 1e-9 for each of the 40 bounds.
describe('discreteGaussian', () => {
  for (const scale of [1, 2, 3, 8, 100, 2 ** 10, 2 ** 20]) {
    const random = seeded(1, `discrete Gaussian ${scale}`);
    const sample = draws(COUNT, () => discreteGaussian(random, scale));

    it(`has the distribution function of N_Z(0, ${scale}^2)`, () => {
      expect(latticeDistance(sample, cdfOf(scale))).to.be.below(ksThreshold(COUNT));
    });

    it(`is a whole number, and never -0, at scale ${scale}`, () => {
      expect(sample.every(x => Number.isSafeInteger(x) && !Object.is(x, -0))).to.equal(true);
    });

    it(`has mean 0 and the variance of its law at scale ${scale}`, () => {
      const variance =
        scale > 2 ** 10 ? scale ** 2 : [...masses(scale)].reduce((sum, [x, mass]) => sum + mass * x * x, 0);
      // A subgaussian of parameter s (Canonne, Kamath and Steinke, corollary 17), so its mean is bounded as a normal's;
      // its square as a chi^2's, by Laurent and Massart, with room to spare.
      const beyond = -2 * Math.log(1e-9 / 2);
      expect(Math.abs(mean(sample))).to.be.below(scale * Math.sqrt(beyond / COUNT));
      const square = mean(sample.map(x => x * x));
      expect(Math.abs(square / variance - 1)).to.be.below(2 * Math.sqrt(beyond / COUNT));
    });

    it(`has a sign of even odds whatever its size, at scale ${scale}`, () => {
      for (const [least, most] of [
        [1, scale],
        [scale + 1, 2 * scale],
        [2 * scale + 1, Infinity],
      ] as const) {
        const signs = sample.filter(x => Math.abs(x) >= least && Math.abs(x) <= most).map(x => Number(x > 0));
        expect(signs.length).to.be.above(1000);
        expect(mean(signs)).to.be.closeTo(1 / 2, meanThreshold(signs.length, 1));
      }
    });
  }

  for (const scale of [1, 2, 3, 8]) {
    it(`has the mass of N_Z(0, ${scale}^2) at every point`, () => {
      const random = seeded(2, `discrete Gaussian ${scale}`);
      const cells = [...masses(scale)].filter(([, mass]) => COUNT * mass > 20);
      const counts = new Map<number, number>(cells.map(([x]) => [x, 0]));
      let others = 0;
      for (let i = 0; i < COUNT; i++) {
        const x = discreteGaussian(random, scale);
        if (counts.has(x)) counts.set(x, counts.get(x)! + 1);
        else others++;
      }
      const rest = 1 - cells.reduce((sum, [, mass]) => sum + mass, 0);
      const observed = [...counts.values(), others];
      const expected = [...cells.map(([, mass]) => mass), rest];
      expect(chiSquare(observed, expected)).to.be.below(chiSquareThreshold(cells.length));
    });
  }

  it('has draws that do not follow from the ones before', () => {
    const random = seeded(3, 'discrete Gaussian');
    const sample = draws(COUNT, () => discreteGaussian(random, 2 ** 20));
    const agreeing = sample.slice(1).map((x, i) => Number(x > 0 === sample[i]! > 0));
    expect(mean(agreeing)).to.be.closeTo(1 / 2, meanThreshold(agreeing.length / 2, 1));
  });

  it('has its law on secure words too', () => {
    const random = secure();
    const sample = draws(COUNT, () => discreteGaussian(random, 2 ** 20));
    expect(latticeDistance(sample, cdfOf(2 ** 20))).to.be.below(ksThreshold(COUNT));
  });

  it('repeats itself for the same stream', () => {
    const [a, b] = [seeded(1, 'same'), seeded(1, 'same')];
    expect(draws(1000, () => discreteGaussian(a, 50))).to.deep.equal(draws(1000, () => discreteGaussian(b, 50)));
  });

  it('refuses a scale that is no whole number from 1 to 2^20', () => {
    for (const scale of [0, -1, 1.5, NaN, Infinity, 2 ** 20 + 1]) {
      expect(() => discreteGaussian(seeded(1, 'scale'), scale)).to.throw(
        ArgumentError,
        `scale must be a whole number from 1 to 1048576, got ${scale}`,
      );
    }
  });
});
