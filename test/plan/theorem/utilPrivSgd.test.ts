import { expect } from 'chai';
import { isFeasible } from '../../../src/plan/theorem/prescription.ts';
import { utilPrivSgd } from '../../../src/plan/theorem/utilPrivSgd.ts';
import { expectPrescription, needs } from '../../support/prescriptions.ts';

describe('utilPrivSgd', () => {
  it('prescribes n^2 single rows with the noise and the steps of alg:Priv_SGD', () => {
    for (const [rows, features, D, L2, epsilon, delta] of [
      [200, 2, 1, 1, 0.9, 1 / 3],
      [1000, 10, 0.25, 3, 0.1, 1e-6],
    ] as const) {
      const variance = (32 * L2 ** 2 * Math.log(rows / delta) * Math.log(1 / delta)) / epsilon ** 2;
      expectPrescription(utilPrivSgd({ rows, features, radius: D, lipschitz: L2, epsilon, delta }), {
        theorem: 'Util_Priv_SGD',
        rule: 'private-sgd',
        mode: 'full',
        steps: rows ** 2,
        chunkRows: 1,
        stepSize: { inverseRoot: (2 * D) / Math.sqrt(L2 ** 2 + features * variance) },
        radius: D,
        estimator: { kind: 'single-row' },
        privacy: { epsilon, delta, lipschitz: L2, sigma: Math.sqrt(variance) },
        claim: { quantity: 'risk', rate: 'L2 D sqrt p / (n eps)', exponent: -1 },
        conditions: [needs('eps <= 0.9', true, { eps: epsilon })],
      });
    }
  });

  it('has no noise above epsilon = 0.9, and holds for any number of rows', () => {
    const problem = { rows: 5000, features: 2, radius: 1, lipschitz: 1, epsilon: 1, delta: 0.1 };
    const given = utilPrivSgd(problem);
    expect(given.privacy?.sigma).to.equal(null);
    expectPrescription(given, {
      conditions: [needs('eps <= 0.9', false, { eps: 1 })],
    });
    expect(isFeasible(given)).to.equal(false);
    expect(isFeasible(utilPrivSgd({ ...problem, epsilon: 0.9 }))).to.equal(true);
  });
});
