import { expect } from 'chai';
import fc from 'fast-check';
import { ArgumentError } from '../../src/errors.ts';
import { delta, epsilonFor, logDelta, muFor, zeroConcentrated } from '../../src/privacy/gaussianDp.ts';
import { casesOf, holdsForAll, uniform } from '../laws/holdsForAll.ts';
import { expectClose, expectDigits } from '../support/close.ts';
import { logNormalTail, normalTail } from '../support/normalTail.ts';
import { privacyVectors } from '../support/privacyVectors.ts';

/** mu from 1e-3 to 30, and epsilon from 0.01 to 50. */
const mus = uniform(-3, 1.5).map(exponent => 10 ** exponent);
const epsilons = uniform(-2, 1.7).map(exponent => 10 ** exponent);
/** delta from 1e-30 to 0.99. */
const deltas = fc.oneof(
  uniform(-30, -1).map(exponent => 10 ** exponent),
  uniform(0.01, 0.99),
);

describe('delta and logDelta', () => {
  it('agree with 60-digit arithmetic, the logarithm down to -125,020', () => {
    for (const { mu, eps, delta: text, log_delta } of privacyVectors.delta_of_mu) {
      expectDigits(logDelta(mu, eps), log_delta);
      if (logDelta(mu, eps) >= Math.log(1e-199)) expectDigits(delta(mu, eps), text);
    }
  });

  it('are the divergence of N(mu, 1) from N(0, 1): the integral of max(0, phi(x - mu) - e^eps phi(x))', () => {
    for (const [mu, epsilon] of [
      [0.5, 0.1],
      [1, 1],
      [2, 0],
      [3, 5],
    ] as const) {
      const excess = (x: number) =>
        Math.max(0, Math.exp(-((x - mu) ** 2) / 2) - Math.exp(epsilon - x ** 2 / 2)) / Math.sqrt(2 * Math.PI);
      const [from, step, panels] = [-10, 1e-4, 250_000];
      let sum = 0;
      for (let i = 0; i <= panels; i++) sum += excess(from + i * step) * step;
      expect(delta(mu, epsilon)).to.be.closeTo(sum, 1e-8);
    }
  });

  it('agree with Phi(-eps/mu + mu/2) - e^eps Phi(-eps/mu - mu/2) wherever that difference keeps its digits', () => {
    let compared = 0;
    holdsForAll(
      fc.property(mus, epsilons, (mu, epsilon) => {
        const [first, second] = twoTails(mu, epsilon);
        if (second - first > Math.log(0.9)) return;
        const plain = first + Math.log1p(-Math.exp(second - first));
        expect(logDelta(mu, epsilon)).to.be.closeTo(plain, 1e-12 * (1 + Math.abs(plain)));
        compared++;
      }),
    );
    expect(compared).to.be.above(casesOf(100));
  });

  it('fall as epsilon grows: strictly, but for a delta that is 1 to 9 digits', () => {
    holdsForAll(
      fc.property(mus, epsilons, uniform(1e-6, 2), (mu, epsilon, more) => {
        const [before, after] = [logDelta(mu, epsilon), logDelta(mu, epsilon * (1 + more))];
        expect(after).to.be.at.most(before);
        if (before < -1e-9) expect(after).to.be.below(before);
      }),
    );
  });

  it('grow with mu: strictly, but for a delta that is 1 to 9 digits', () => {
    holdsForAll(
      fc.property(mus, epsilons, uniform(1e-6, 2), (mu, epsilon, more) => {
        const [before, after] = [logDelta(mu, epsilon), logDelta(mu * (1 + more), epsilon)];
        expect(after).to.be.at.least(before);
        if (before < -1e-9) expect(after).to.be.above(before);
      }),
    );
  });

  it('are those of no release at mu = 0, and of no privacy at mu = Infinity, whatever epsilon is', () => {
    for (const epsilon of [0, 1e-300, 1, 1e300]) {
      expect(logDelta(0, epsilon)).to.equal(-Infinity);
      expect(delta(0, epsilon)).to.equal(0);
      expect(logDelta(Infinity, epsilon)).to.equal(0);
      expect(delta(Infinity, epsilon)).to.equal(1);
    }
  });

  it('are 2 Phi(mu/2) - 1 at epsilon = 0', () => {
    for (const mu of [1e-9, 1e-3, 0.5]) {
      // 2 Phi(z) - 1 = sqrt(2/pi) (z - z^3/6 + z^5/40 - z^7/336 + ...)
      const z = mu / 2;
      const series = z - z ** 3 / 6 + z ** 5 / 40 - z ** 7 / 336 + z ** 9 / 3456 - z ** 11 / 42240;
      expectClose(delta(mu, 0), Math.sqrt(2 / Math.PI) * series, 1e-11);
    }
    for (const mu of [2, 8, 16]) expectClose(-logDelta(mu, 0), -Math.log1p(-2 * normalTail(mu / 2)));
    expect(delta(1e3, 0)).to.equal(1);
  });

  it('are mu (phi(z) - z Phi(-z)) for a tiny mu and epsilon = z mu', () => {
    for (const z of [0, 0.5, 3, 10]) {
      const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
      expectClose(delta(1e-9, z * 1e-9), 1e-9 * (density - z * normalTail(z)), 1e-8);
    }
  });

  it('keep their digits at mu = 1000, where epsilon is near mu^2/2', () => {
    for (const z of [-5, -1, 0, 1, 10, 30]) {
      const epsilon = 1e6 / 2 + 1e3 * z;
      const [first, second] = twoTails(1e3, epsilon);
      const plain = first + Math.log1p(-Math.exp(second - first));
      expect(logDelta(1e3, epsilon)).to.be.closeTo(plain, 1e-9);
    }
  });

  it('end, at 1, for a mu so large that t + mu is t', () => {
    for (const mu of [1e9, 1e16, 2e16, 1e17, 1e100, 1e300]) {
      expect(logDelta(mu, 1)).to.equal(0);
      expect(delta(mu, 1)).to.equal(1);
    }
  });

  it('refuse a mu below 0 and an epsilon that is no finite number of at least 0', () => {
    for (const bad of [Number.NaN, -1, -Infinity]) {
      expect(() => logDelta(bad, 1)).to.throw(ArgumentError, `mu must be at least 0, got ${bad}`);
      expect(() => delta(bad, 1)).to.throw(ArgumentError, `mu must be at least 0, got ${bad}`);
    }
    for (const bad of [Number.NaN, -1, Infinity]) {
      expect(() => logDelta(1, bad)).to.throw(
        ArgumentError,
        `epsilon must be a finite number of at least 0, got ${bad}`,
      );
    }
  });
});

describe('muFor', () => {
  it('agrees with 60-digit arithmetic, for delta down to 1e-300', () => {
    for (const { eps, delta: target, mu } of privacyVectors.sigma_min) expectDigits(muFor(eps, target), mu);
  });

  it('is the largest mu: it spends delta exactly, and any more would spend more', () => {
    holdsForAll(
      fc.property(epsilons, deltas, (epsilon, target) => {
        const mu = muFor(epsilon, target);
        expectClose(delta(mu, epsilon), target, 1e-11);
        expect(delta(mu * (1 + 1e-6), epsilon)).to.be.above(target);
        expect(delta(mu * (1 - 1e-6), epsilon)).to.be.below(target);
      }),
    );
  });

  it('needs no epsilon: at 0 it is where 2 Phi(mu/2) - 1 is delta', () => {
    expectClose(muFor(0, 1e-9), 1e-9 * Math.sqrt(2 * Math.PI));
    expectClose(2 * normalTail(muFor(0, 0.5) / 2), 0.5);
  });

  it('is right to the last bits of 1 - delta for a delta close to 1', () => {
    for (const missing of [2 ** -20, 2 ** -40, 2 ** -53]) {
      expectClose(2 * normalTail(muFor(0, 1 - missing) / 2), missing, 1e-11);
      for (const epsilon of [1, 1e3, 1e6]) {
        const mu = muFor(epsilon, 1 - missing);
        // 1 - delta = Phi(eps/mu - mu/2) + e^eps Phi(-eps/mu - mu/2); the digits that 1e6 - 1e6 loses are not the
        // code's.
        const [, second] = twoTails(mu, epsilon);
        expectClose(normalTail(mu / 2 - epsilon / mu) + Math.exp(second), missing, 1e-6);
      }
    }
  });

  it('is a finite number above 0 for every pair of doubles', () => {
    for (const epsilon of [0, Number.MIN_VALUE, 1e-300, 1, 1e6, 1e300]) {
      for (const target of [Number.MIN_VALUE, 1e-308, 0.5, 1 - 2 ** -53]) {
        expect(muFor(epsilon, target)).to.be.finite.and.above(0);
      }
    }
  });

  it('refuses what is no epsilon and no delta', () => {
    for (const bad of [Number.NaN, -1, Infinity]) {
      expect(() => muFor(bad, 0.5)).to.throw(
        ArgumentError,
        `epsilon must be a finite number of at least 0, got ${bad}`,
      );
    }
    for (const bad of [Number.NaN, -1, 0, 1, Infinity]) {
      expect(() => muFor(1, bad)).to.throw(ArgumentError, `delta must be in (0, 1), got ${bad}`);
    }
  });
});

describe('epsilonFor', () => {
  it('undoes muFor', () => {
    holdsForAll(
      fc.property(epsilons, deltas, (epsilon, target) => {
        expectClose(epsilonFor(muFor(epsilon, target), target), epsilon, 1e-9);
      }),
    );
  });

  it('is the least epsilon: 0 where none is needed, and otherwise one that spends delta exactly', () => {
    let needless = 0;
    holdsForAll(
      fc.property(mus, deltas, (mu, target) => {
        const epsilon = epsilonFor(mu, target);
        if (delta(mu, 0) <= target) {
          expect(epsilon).to.equal(0);
          needless++;
        } else {
          expectClose(delta(mu, epsilon), target, 1e-10);
        }
      }),
    );
    expect(needless).to.be.within(50, 450);
  });

  it('is 0 for no release and infinite for no privacy', () => {
    for (const target of [Number.MIN_VALUE, 0.5, 1 - 2 ** -53]) {
      expect(epsilonFor(0, target)).to.equal(0);
      expect(epsilonFor(Infinity, target)).to.equal(Infinity);
    }
  });

  it('is near mu^2/2 for a large mu, and infinite once that is no double', () => {
    for (const mu of [1e3, 1e9, 1e17, 1e100]) expectClose(epsilonFor(mu, 0.5) / mu / mu, 0.5, 1e-5);
    expect(epsilonFor(1e200, 0.5)).to.equal(Infinity);
  });

  it('never calls a release harmless for a delta close to 1', () => {
    expect(epsilonFor(1e3, 1 - 2 ** -53)).to.be.above(4e5);
  });

  it('refuses what is no mu and no delta', () => {
    for (const bad of [Number.NaN, -1]) {
      expect(() => epsilonFor(bad, 0.5)).to.throw(ArgumentError, `mu must be at least 0, got ${bad}`);
    }
    for (const bad of [Number.NaN, 0, 1]) {
      expect(() => epsilonFor(1, bad)).to.throw(ArgumentError, `delta must be in (0, 1), got ${bad}`);
    }
  });
});

describe('zeroConcentrated', () => {
  it('is mu^2/2, to the digits of 60-digit arithmetic', () => {
    for (const { eps, delta: target, rho } of privacyVectors.sigma_min) {
      expectDigits(zeroConcentrated(muFor(eps, target)), rho);
    }
    expect(zeroConcentrated(0)).to.equal(0);
    expect(zeroConcentrated(Infinity)).to.equal(Infinity);
  });

  it('refuses what is no mu', () => {
    for (const bad of [Number.NaN, -1]) {
      expect(() => zeroConcentrated(bad)).to.throw(ArgumentError, `mu must be at least 0, got ${bad}`);
    }
  });
});

/** The logarithms of Phi(-eps/mu + mu/2) and of e^eps Phi(-eps/mu - mu/2). */
const twoTails = (mu: number, epsilon: number): [first: number, second: number] => [
  logNormalTail(epsilon / mu - mu / 2),
  epsilon + logNormalTail(epsilon / mu + mu / 2),
];
