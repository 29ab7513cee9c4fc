import { expect } from 'chai';
import { htAgd } from '../../../src/plan/theorem/htAgd.ts';
import { isFeasible } from '../../../src/plan/theorem/prescription.ts';
import { blocksFor, claims, expectPrescription, needs } from '../../support/prescriptions.ts';

describe('htAgd', () => {
  const figure = { features: 100, failureProbability: 0.1, smoothness: 1, strongConvexity: 2 / 3 };
  const root = Math.sqrt(1.5);
  const f1 = (2.5 * Math.sqrt(1 - 1 / root) - 0.5) / 2;
  const lambda = (root - 1) / (root + 1);
  const f2 = (1 - 2 * 0.5 * lambda) / (2 * (1 + 2 * lambda));

  it("prescribes figure plot5's run: tau_u = 1, tau_l = 2/3, p = 100, zeta = 1/10", () => {
    for (const [rows, T, chunkRows, b, stable, faster] of [
      [60_000, 7, 8571, 15, true, true],
      [200_000, 8, 25_000, 16, true, false],
      [2000, 5, 400, 14, false, true],
    ] as const) {
      expect(Math.ceil((2 * Math.log(Math.sqrt(rows))) / Math.log(1 / (1 - Math.sqrt(2 / 3))))).to.equal(T);
      expect(blocksFor(0.1 / T)).to.equal(b);
      const ratio = Math.sqrt((100 * Math.log(T / 0.1)) / chunkRows) / (2 / 3);
      const given = htAgd({ ...figure, rows });
      expectPrescription(given, {
        theorem: 'htAGD',
        rule: 'nesterov',
        mode: 'fresh',
        steps: T,
        chunkRows,
        stepSize: 1,
        momentum: lambda,
        radius: null,
        contraction: Math.sqrt(1 - Math.sqrt(2 / 3)),
        penalty: 0,
        estimator: { kind: 'median-of-means', blocks: b },
        privacy: null,
        claim: { quantity: 'parameter', rate: 'sqrt(p/n)', exponent: -1 / 2 },
        conditions: [
          needs('n~ >= 2b', true, { 'n~': chunkRows, b }),
          needs('1 < tau_u/tau_l < 1.76', true, { 'tau_u/tau_l': 1.5 }),
          needs('alpha/tau_l < f2', stable, { 'alpha/tau_l': ratio, f2 }),
          claims('f1 < alpha/tau_l', faster, { 'alpha/tau_l': ratio, f1 }),
        ],
      });
      // What only voids the claim to be faster than gradient descent does not forbid the run.
      expect(isFeasible(given)).to.equal(stable);
    }
  });

  it('scales with tau_u: the step is 1/tau_u, the momentum and T stay', () => {
    const scaled = { ...figure, smoothness: 30, strongConvexity: 20 };
    expectPrescription(htAgd({ ...scaled, rows: 60_000 }), { stepSize: 1 / 30, momentum: lambda, steps: 7 });
  });

  it('takes alpha = C1 sqrt(p log(1/zeta~)/n~)', () => {
    const given = htAgd({ ...figure, rows: 2000, concentration: 0.05 });
    expect(given.conditions[2]!.numbers['alpha/tau_l']).to.be.closeTo(
      (0.05 * Math.sqrt((100 * Math.log(50)) / 400)) / (2 / 3),
      1e-13,
    );
    expect(isFeasible(given)).to.equal(true);
  });

  it('refuses a condition number above 1.76, and of 1', () => {
    for (const [strongConvexity, met] of [
      [1 / 1.75, true],
      [1 / 1.761, false],
      [1 / 2, false],
      [1, false],
    ] as const) {
      const given = htAgd({ ...figure, rows: 1e8, concentration: 1e-3, strongConvexity });
      const condition = needs('1 < tau_u/tau_l < 1.76', met, { 'tau_u/tau_l': 1 / strongConvexity });
      expect(given.conditions[1]).to.deep.equal(condition);
      expect(isFeasible(given)).to.equal(met);
    }
    expect(htAgd({ ...figure, rows: 1e8, strongConvexity: 1 }).steps).to.equal(1);
  });

  it('computes every gradient from all rows in full mode', () => {
    expectPrescription(htAgd({ ...figure, rows: 1500, mode: 'full' }), { mode: 'full', chunkRows: 1500 });
  });
});
