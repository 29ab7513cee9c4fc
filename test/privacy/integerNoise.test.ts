import { expect } from 'chai';
import fc from 'fast-check';
import { ArgumentError } from '../../src/errors.ts';
import { delta as deltaOf, muFor } from '../../src/privacy/gaussianDp.ts';
import { integerNoise } from '../../src/privacy/integerNoise.ts';
import { holdsForAll, uniform } from '../laws/holdsForAll.ts';
import { refusesBad } from '../support/badArguments.ts';
import { expectClose, expectDigits } from '../support/close.ts';
import { privacyVectors } from '../support/privacyVectors.ts';

describe('integerNoise', () => {
  it('agrees with 60-digit arithmetic: the slack, mu, the squared norm to its last unit, and the cost in noise', () => {
    for (const vector of privacyVectors.discrete.cases) {
      const { eps, delta, steps_touching_a_record: touches, p, s, eta, mu, B2 } = vector;
      const noise = integerNoise({ lipschitz: 3, features: p, touches, epsilon: eps, delta, scale: s });
      expect(noise.scale).to.equal(s);
      expectDigits(noise.slack, eta);
      expectDigits(noise.mu, mu);
      expect(noise.squaredNorm).to.equal(B2);
      expectClose(noise.grid, 3 / Math.sqrt(B2));
      // In the units of the gradient: the grid's noise against 2 L2 sqrt(k) / mu* of a continuous Gaussian.
      const continuous = (2 * 3 * Math.sqrt(touches)) / muFor(eps, delta);
      // The ratio is 1 to 8 digits or more, of which 16 can be kept.
      const inflation = (noise.grid * s) / continuous - 1;
      const tolerance = 5e-4 * Number(vector.noise_inflation_vs_continuous) + 2e-15;
      expect(inflation).to.be.closeTo(Number(vector.noise_inflation_vs_continuous), tolerance);
    }
  });

  it('is exactly k (2 sqrt(B2))^2 / (2 s^2) zCDP, and no more than the budget', () => {
    holdsForAll(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 1, max: 50 }),
        uniform(0.05, 3),
        uniform(-12, -1),
        (features, touches, epsilon, exponent) => {
          const delta = 10 ** exponent;
          const noise = integerNoise({ lipschitz: 1, features, touches, epsilon, delta });
          const spent = Math.sqrt((4 * noise.squaredNorm * touches) / noise.scale ** 2);
          expect(spent).to.be.at.most(noise.mu * (1 + 1e-15));
          expect(spent).to.be.at.least(noise.mu * (1 - 1 / noise.squaredNorm));
          expect(deltaOf(spent, epsilon)).to.be.at.most(delta);
        },
      ),
    );
  });

  it('takes 2^20 as its scale, where the slack is below 1e-9 for 10,000 coordinates', () => {
    const noise = integerNoise({ lipschitz: 1, features: 1e4, touches: 1, epsilon: 0.9, delta: 1e-6 });
    expect(noise.scale).to.equal(2 ** 20);
    expect(noise.slack).to.be.below(1e-9);
    expect(noise).to.be.frozen;
  });

  it('refuses a scale so small that rounding uses up the budget, or that no gradient has room', () => {
    const few = { lipschitz: 1, features: 10, touches: 1, epsilon: 0.1, delta: 1e-6 };
    expect(() => integerNoise({ ...few, scale: 2 })).to.throw(ArgumentError, /used up by rounding at scale 2 .*larger/);
    expect(() => integerNoise({ ...few, scale: 20 })).to.throw(
      ArgumentError,
      /less than one grid step at scale 20; use a larger epsilon/,
    );
  });

  it('refuses an epsilon that protects nothing, before its exponential runs out of digits', () => {
    const most = { lipschitz: 1, features: 2, touches: 1, delta: 1e-6 };
    expect(integerNoise({ ...most, epsilon: 600 }).mu).to.be.above(10);
    expect(() => integerNoise({ ...most, epsilon: 1000 })).to.throw(ArgumentError, 'epsilon must be at most 600');
  });

  it('refuses a scale so large that squared norms are no whole doubles', () => {
    const much = { lipschitz: 1, features: 10, touches: 1, epsilon: 5, delta: 0.1 };
    expect(() => integerNoise({ ...much, scale: 2 ** 27 })).to.throw(
      ArgumentError,
      /beyond 2\^52; use a smaller scale/,
    );
  });

  it('refuses bounds, counts and budgets that are none', () => {
    const good = { lipschitz: 1, features: 10, touches: 1, epsilon: 0.9, delta: 1e-6, scale: 2 ** 16 };
    refusesBad(integerNoise, good, {
      lipschitz: 'positive',
      features: 'count',
      touches: 'count',
      epsilon: 'positive',
      delta: 'probability',
      scale: 'count',
    });
  });
});
