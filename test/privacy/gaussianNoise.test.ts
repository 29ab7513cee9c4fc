import { expect } from 'chai';
import fc from 'fast-check';
import { ArgumentError } from '../../src/errors.ts';
import { blockCount } from '../../src/method/aggregate/blockCount.ts';
import { delta as deltaOf } from '../../src/privacy/gaussianDp.ts';
import { gaussianNoise, meanSensitivity, requireKept } from '../../src/privacy/gaussianNoise.ts';
import { integerNoise } from '../../src/privacy/integerNoise.ts';
import { holdsForAll, uniform } from '../laws/holdsForAll.ts';
import { refusesBad } from '../support/badArguments.ts';
import { expectClose, expectDigits } from '../support/close.ts';
import { privacyVectors } from '../support/privacyVectors.ts';

describe('meanSensitivity', () => {
  it('is 2 L2 / rows, how far two means over all but one of the same records can lie apart', () => {
    expect(meanSensitivity(3, 12)).to.equal(0.5);
    const [plus, minus] = [Array(12).fill(3), [-3, ...Array(11).fill(3)]];
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(mean(plus) - mean(minus)).to.equal(meanSensitivity(3, 12));
  });

  it('refuses a bound of 0, which would be no sensitivity, and no rows', () => {
    refusesBad(
      ({ lipschitz, rows }) => meanSensitivity(lipschitz, rows),
      { lipschitz: 1, rows: 5 },
      {
        lipschitz: 'positive',
        rows: 'count',
      },
    );
  });
});

describe('requireKept', () => {
  const isKept = (mu: number, epsilon: number, delta: number): boolean => {
    try {
      requireKept('the run', mu, { epsilon, delta });
      return true;
    } catch (error) {
      expect(error).to.be.instanceOf(ArgumentError);
      return false;
    }
  };

  it('takes the mu of 60-digit arithmetic, and none larger than rounding explains', () => {
    for (const { eps, delta, mu } of privacyVectors.sigma_min) {
      expect(isKept(Number(mu), eps, delta)).to.equal(true);
      expect(isKept(Number(mu) * (1 + 1e-8), eps, delta)).to.equal(false);
      expect(isKept(Number(mu) / 2, eps, delta)).to.equal(true);
    }
  });

  it('takes what integer noise is calibrated to, whatever the slack took, and not twice of it', () => {
    holdsForAll(
      fc.property(uniform(-3, 2), uniform(-12, -1), fc.integer({ min: 1, max: 50 }), (e, d, touches) => {
        const budget = { epsilon: 10 ** e, delta: 10 ** d };
        const { mu } = integerNoise({ ...budget, lipschitz: 1, features: 3, touches });
        return isKept(mu, budget.epsilon, budget.delta) && !isKept(2 * mu, budget.epsilon, budget.delta);
      }),
    );
  });

  it('is kept exactly where delta_mu(epsilon) is at most delta', () => {
    holdsForAll(
      fc.property(uniform(-4, 1.5), uniform(-3, 2), uniform(-12, -1), (m, e, d) => {
        const [mu, epsilon, delta] = [10 ** m, 10 ** e, 10 ** d];
        // Within rounding either answer is right.
        fc.pre(Math.abs(Math.log(deltaOf(mu, epsilon) / delta)) > 1e-5);
        return isKept(mu, epsilon, delta) === deltaOf(mu, epsilon) < delta;
      }),
    );
  });
});

describe('gaussianNoise', () => {
  it('agrees with 60-digit arithmetic for T steps over the same rows', () => {
    for (const { eps, delta, sens, T, sigma_min } of privacyVectors.sigma_min) {
      const options = { lipschitz: sens / 2, rows: 1, touches: T, epsilon: eps, delta };
      expectDigits(gaussianNoise(options), sigma_min);
    }
  });

  it('agrees with it for disjoint chunks, whatever T is, and for epochs over them', () => {
    for (const { n, T, epochs, ntilde, eps, delta, L2, sigma } of privacyVectors.parallel) {
      expect(Math.floor(n / T)).to.equal(ntilde);
      const options = { lipschitz: L2, rows: ntilde, touches: epochs, epsilon: eps, delta };
      expectDigits(gaussianNoise(options), sigma);
    }
  });

  it('agrees with it for the mean of one of the b blocks of a chunk, and for the mean of the chunk', () => {
    for (const { ntilde, zeta, b, m, eps, delta, L2, sigma_block, sigma_plain_mean } of privacyVectors.block_noise) {
      expect(blockCount(zeta)).to.equal(b);
      expect(Math.floor(ntilde / b)).to.equal(m);
      const noise = (rows: number) => gaussianNoise({ lipschitz: L2, rows, touches: 1, epsilon: eps, delta });
      expectDigits(noise(m), sigma_block);
      expectDigits(noise(ntilde), sigma_plain_mean);
    }
  });

  it('is less than the classical lemma mGDP asks for, sens sqrt(2 log(1.25/delta)) / eps', () => {
    for (const { eps, delta, sens, sigma_lemma, sigma_analytic } of privacyVectors.gaussian_lemma) {
      const sigma = gaussianNoise({ lipschitz: sens / 2, rows: 1, touches: 1, epsilon: eps, delta });
      const lemma = (sens * Math.sqrt(2 * Math.log(1.25 / delta))) / eps;
      expectDigits(sigma, sigma_analytic);
      expectDigits(lemma, sigma_lemma);
      expect(sigma).to.be.below(lemma);
    }
  });

  it('spends the budget exactly: releases of mu sqrt(k) in all have the delta that was asked for', () => {
    holdsForAll(
      fc.property(
        uniform(0.1, 10),
        fc.integer({ min: 1, max: 1e6 }),
        fc.integer({ min: 1, max: 1000 }),
        uniform(0.01, 5),
        uniform(-12, -0.1),
        (lipschitz, rows, touches, epsilon, exponent) => {
          const delta = 10 ** exponent;
          const sigma = gaussianNoise({ lipschitz, rows, touches, epsilon, delta });
          const mu = ((2 * lipschitz) / rows / sigma) * Math.sqrt(touches);
          expectClose(deltaOf(mu, epsilon), delta, 1e-10);
        },
      ),
    );
  });

  it('refuses bounds, counts and budgets that are none', () => {
    refusesBad(
      gaussianNoise,
      { lipschitz: 1, rows: 100, touches: 3, epsilon: 1, delta: 1e-6 },
      {
        lipschitz: 'positive',
        rows: 'count',
        touches: 'count',
        epsilon: 'atLeastZero',
        delta: 'probability',
      },
    );
  });
});
