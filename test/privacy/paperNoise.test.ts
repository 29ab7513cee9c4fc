import { expect } from 'chai';
import { ArgumentError } from '../../src/errors.ts';
import { epsilonFor, logDelta } from '../../src/privacy/gaussianDp.ts';
import { composedNoise, frankWolfeNoise, singleRowNoise } from '../../src/privacy/paperNoise.ts';
import { refusesBad } from '../support/badArguments.ts';
import { expectClose, expectDigits } from '../support/close.ts';
import { privacyVectors } from '../support/privacyVectors.ts';

describe('frankWolfeNoise', () => {
  it('is (eps, delta)-DP by exact Gaussian DP for any T, also where the corollary does not cover it', () => {
    let uncovered = 0;
    for (const rows of [10, 1000, 1e4, 1e5, 1e7]) {
      for (const delta of [0.3, 1e-2, 1e-6, 1e-9]) {
        for (const epsilon of [0.01, 0.1, 0.5, 0.9]) {
          for (const steps of [1, 37, 5000]) {
            const sigma = frankWolfeNoise({ lipschitz: 1.3, rows, steps, epsilon, delta });
            // T means of sensitivity 2 L2/n.
            const mu = (Math.sqrt(steps) * 2 * 1.3) / (rows * sigma);
            expectClose(mu, (2 * epsilon) / (Math.sqrt(32) * Math.log(rows / delta)));
            expect(logDelta(mu, epsilon)).to.be.at.most(Math.log(delta));
            if (Math.log(rows / delta) ** 2 < 2 * Math.log((5 * steps) / (2 * delta)) * Math.log(2 / delta))
              uncovered++;
          }
        }
      }
    }
    expect(uncovered).to.be.above(10);
  });
});

describe('frankWolfeNoise and composedNoise', () => {
  for (const [label, formula, noise] of [
    ['alg:PrivNon-accERM', 'alg2', frankWolfeNoise],
    ['alg:PrivFWERM', 'alg3', composedNoise],
  ] as const) {
    const cases = privacyVectors.paper_sigma.filter(vector => vector.formula === formula);

    it(`have the noise of ${label}, to the digits of 60-digit arithmetic`, () => {
      expect(cases).not.to.be.empty;
      for (const { n, T, eps, delta, L2, sigma } of cases) {
        expectDigits(noise({ lipschitz: L2, rows: n, steps: T, epsilon: eps, delta }), sigma);
      }
    });

    it(`protect far better than ${label} says: by T Gaussian steps of sensitivity 2 L2 / n`, () => {
      for (const { n, T, eps, delta, L2, mu_total, log10_true_delta_at_eps, true_eps_at_delta } of cases) {
        const sigma = noise({ lipschitz: L2, rows: n, steps: T, epsilon: eps, delta });
        const mu = ((2 * L2) / n) * (Math.sqrt(T) / sigma);
        expectDigits(mu, mu_total);
        expectDigits(logDelta(mu, eps) / Math.LN10, log10_true_delta_at_eps);
        expectDigits(epsilonFor(mu, delta), true_eps_at_delta);
      }
    });
  }

  it('are the formulas as printed, in natural logarithms', () => {
    const setting = { lipschitz: 0.2, rows: 10_000, steps: 10, epsilon: 0.9, delta: 1 / 3 };
    const [L2, T, n, eps, delta] = [0.2, 10, 10_000, 0.9, 1 / 3];
    expectClose(
      composedNoise(setting) ** 2,
      (64 * L2 ** 2 * T * Math.log((5 * T) / (2 * delta)) * Math.log(2 / delta)) / (n ** 2 * eps ** 2),
    );
    expectClose(frankWolfeNoise(setting) ** 2, (32 * L2 ** 2 * T * Math.log(n / delta) ** 2) / (n ** 2 * eps ** 2));
  });
});

describe('singleRowNoise', () => {
  it('is the formula of alg:Priv_SGD: 32 L2^2 log(n/delta) log(1/delta) / eps^2', () => {
    for (const [L2, n, eps, delta] of [
      [1, 200, 0.9, 1 / 3],
      [2.5, 1000, 0.1, 1e-6],
    ] as const) {
      expectClose(
        singleRowNoise({ lipschitz: L2, rows: n, epsilon: eps, delta }) ** 2,
        (32 * L2 ** 2 * Math.log(n / delta) * Math.log(1 / delta)) / eps ** 2,
      );
    }
  });
});

describe('the calibration "paper"', () => {
  const setting = { lipschitz: 1, rows: 100, epsilon: 0.9, delta: 1e-6 };
  for (const [name, noise, steps] of [
    ['frankWolfeNoise', frankWolfeNoise, { steps: 4 }],
    ['composedNoise', composedNoise, { steps: 4 }],
    ['singleRowNoise', singleRowNoise, {}],
  ] as const) {
    const call = (options: typeof setting) => noise({ ...options, ...steps } as never);

    it(`holds up to epsilon = 0.9: ${name} refuses more, and names the way out`, () => {
      expect(call(setting)).to.be.above(0);
      for (const epsilon of [0.9 + 1e-12, 1, 5]) {
        expect(() => call({ ...setting, epsilon })).to.throw(
          ArgumentError,
          `epsilon must be in (0, 0.9] for \`calibration: 'paper'\`, got ${epsilon}; use \`calibration: 'exact'\` or \`calibration: 'parallel'\``,
        );
      }
    });

    it(`has no noise for bad arguments of ${name}`, () => {
      refusesBad(call, setting, {
        lipschitz: 'positive',
        rows: 'count',
        epsilon: 'positive',
        delta: 'probability',
      });
    });
  }

  it('needs a whole number of steps', () => {
    refusesBad(frankWolfeNoise, { ...setting, steps: 4 }, { steps: 'count' });
    refusesBad(composedNoise, { ...setting, steps: 4 }, { steps: 'count' });
  });
});
