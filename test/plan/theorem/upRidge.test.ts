import { expect } from 'chai';
import { isFeasible } from '../../../src/plan/theorem/prescription.ts';
import { upRidge } from '../../../src/plan/theorem/upRidge.ts';
import { expectPrescription, needs } from '../../support/prescriptions.ts';

describe('upRidge', () => {
  it("prescribes figure plot1's run: p = 10, D = 1/(4 sqrt p), S1 = 1, delta = 1/3", () => {
    for (const [rows, epsilon, T] of [
      [10_000, 0.9, 69],
      [500, 0.5, 47],
    ] as const) {
      const D = 1 / (4 * Math.sqrt(10));
      const L2 = Math.sqrt(10) + 10 * D;
      const sigma = Math.sqrt(
        (64 * L2 ** 2 * T * Math.log((5 * T * 3) / 2) * Math.log(6)) / (rows ** 2 * epsilon ** 2),
      );
      expect(Math.ceil(Math.log(rows) / Math.log(8 / 7))).to.equal(T);
      const problem = { rows, features: 10, radius: D, gradientRatio: 1, epsilon, delta: 1 / 3 };
      expectPrescription(upRidge(problem), {
        theorem: 'UPRidge',
        rule: 'accelerated-frank-wolfe',
        mode: 'full',
        steps: T,
        chunkRows: rows,
        stepSize: 1 / 4,
        momentum: null,
        radius: D,
        gradientFloor: 10 * D,
        contraction: 7 / 8,
        penalty: 0,
        estimator: { kind: 'mean' },
        privacy: { epsilon, delta: 1 / 3, lipschitz: L2, sigma },
        claim: { quantity: 'risk', rate: '(sqrt p + p D) D sqrt p / (n eps)', exponent: -1 },
        conditions: [needs('eps <= 0.9', true, { eps: epsilon })],
      });
    }
  });

  it('never steps further than 1, nor contracts by more than a half', () => {
    const problem = { rows: 1000, features: 3, radius: 2, gradientRatio: 9, epsilon: 0.1, delta: 1e-6 };
    expectPrescription(upRidge(problem), {
      stepSize: 1,
      contraction: 1 / 2,
      steps: 10,
      gradientFloor: 9 * 3 * 2,
    });
  });

  it("takes r = S1 beta_L / alpha_C from the data's own smoothness where that is given", () => {
    const problem = { rows: 1000, features: 3, radius: 2, gradientRatio: 0.4, epsilon: 0.1, delta: 1e-6 };
    expectPrescription(upRidge({ ...problem, smoothness: 1.5 }), {
      gradientFloor: 0.4 * 1.5 * 2,
      stepSize: 0.1,
      contraction: 0.95,
      steps: Math.ceil(Math.log(1000) / Math.log(1 / 0.95)),
    });
  });

  it('has no noise above epsilon = 0.9, and says so', () => {
    const given = upRidge({ rows: 100, features: 2, radius: 1, gradientRatio: 1, epsilon: 1.2, delta: 1e-6 });
    expect(isFeasible(given)).to.equal(false);
    expectPrescription(given, {
      privacy: { epsilon: 1.2, delta: 1e-6, lipschitz: Math.SQRT2 + 2, sigma: null },
      conditions: [needs('eps <= 0.9', false, { eps: 1.2 })],
    });
  });
});
