import { expect } from 'chai';
import { accFwRob } from '../../../src/plan/theorem/accFwRob.ts';
import { isFeasible } from '../../../src/plan/theorem/prescription.ts';
import { blocksFor, expectPrescription, needs } from '../../support/prescriptions.ts';

describe('accFwRob', () => {
  it("prescribes figure plot7's accelerated run: Sigma = I, ||theta*|| = sqrt(10), C1 = 1/2, zeta = 1/10, full batch", () => {
    for (const [rows, T] of [
      [20_000, 1420],
      [500, 415],
    ] as const) {
      const D = Math.sqrt(10) - 0.5 * rows ** -0.2;
      const u = 0.5 * rows ** -0.2;
      const c = 1 - u / (8 * D);
      expect(Math.ceil(Math.log(rows ** 0.4) / Math.log(1 / c))).to.equal(T);
      const b = blocksFor(0.1 / T);
      const problem = {
        rows,
        failureProbability: 0.1,
        mode: 'full',
        truthNorm: Math.sqrt(10),
        smallestEigenvalue: 1,
        largestEigenvalue: 1,
        gap: 0.5,
      } as const;
      expectPrescription(accFwRob(problem), {
        theorem: 'ACCFWROB',
        rule: 'accelerated-frank-wolfe',
        mode: 'full',
        steps: T,
        chunkRows: rows,
        stepSize: u / (4 * D),
        momentum: null,
        radius: D,
        gradientFloor: u,
        contraction: c,
        penalty: 0,
        estimator: { kind: 'median-of-means', blocks: b },
        privacy: null,
        claim: { quantity: 'parameter', rate: 'n^(-1/5)', exponent: -1 / 5 },
        conditions: [needs('n~ >= 2b', true, { 'n~': rows, b }), needs('D > 0', true, { D })],
      });
      // Split into that many chunks, no chunk has two rows a block: the figure cannot have been made so.
      const split = accFwRob({ ...problem, mode: 'fresh' });
      const chunkRows = Math.floor(rows / T);
      expect(isFeasible(split)).to.equal(false);
      expect(split.conditions[0]).to.deep.equal(needs('n~ >= 2b', false, { 'n~': chunkRows, b }));
    }
  });

  it('steps and contracts by the condition number too: u = C1 lambda_min n^(-1/5), eta = u/(4 D lambda_max)', () => {
    const [rows, D, u] = [100_000, 2 - 1 / 10, 0.5 / 10];
    const problem = {
      rows,
      failureProbability: 0.05,
      truthNorm: 2,
      smallestEigenvalue: 0.5,
      largestEigenvalue: 3,
    };
    const c = 1 - u / (8 * D * 3);
    expectPrescription(accFwRob(problem), {
      mode: 'fresh',
      radius: D,
      gradientFloor: u,
      stepSize: u / (4 * D * 3),
      contraction: c,
      steps: Math.ceil(Math.log(100) / Math.log(1 / c)),
    });
  });

  it('has no answer where the ball would have no radius', () => {
    const problem = {
      rows: 32,
      failureProbability: 0.1,
      truthNorm: 0.1,
      smallestEigenvalue: 1,
      largestEigenvalue: 1,
    };
    const given = accFwRob(problem);
    expect(isFeasible(given)).to.equal(false);
    expectPrescription(given, {
      steps: Infinity,
      chunkRows: 0,
      stepSize: 0,
      contraction: 1,
      conditions: [needs('n~ >= 2b', false, { 'n~': 0, b: Infinity }), needs('D > 0', false, { D: 0.1 - 0.5 })],
    });
  });
});
