import { expect } from 'chai';
import { htNonAccFw } from '../../../src/plan/theorem/accFwRob.ts';
import { isFeasible } from '../../../src/plan/theorem/prescription.ts';
import { blocksFor, expectPrescription, needs } from '../../support/prescriptions.ts';

describe('htNonAccFw', () => {
  const D = Math.sqrt(10);

  it("prescribes figure plot7's plain run: Sigma = I, D = ||theta*|| = sqrt(10), zeta = 1/10", () => {
    for (const [rows, T, chunkRows, b] of [
      [20_000, 28, 714, 20],
      [1000, 10, 100, 16],
      [500, 8, 62, 16],
    ] as const) {
      expect(Math.ceil(Math.cbrt(rows))).to.equal(T);
      expect(blocksFor(0.1 / T)).to.equal(b);
      expectPrescription(htNonAccFw({ rows, failureProbability: 0.1, radius: D, truthNorm: D }), {
        theorem: 'HT_NonAccFW',
        rule: 'frank-wolfe',
        mode: 'fresh',
        steps: T,
        chunkRows,
        stepSize: 'harmonic',
        momentum: null,
        radius: D,
        gradientFloor: null,
        contraction: null,
        penalty: 0,
        estimator: { kind: 'median-of-means', blocks: b },
        privacy: null,
        claim: { quantity: 'parameter', rate: 'n^(-1/6)', exponent: -1 / 6 },
        conditions: [
          needs('n~ >= 2b', true, { 'n~': chunkRows, b }),
          needs('||theta*|| <= D', true, { '||theta*||': D, D }),
        ],
      });
    }
  });

  it('has 10 steps for 1,000 rows, though 1000 ** (1/3) is not 10', () => {
    expect(1000 ** (1 / 3)).not.to.equal(10);
    expect(htNonAccFw({ rows: 1000, failureProbability: 0.1, radius: 1, truthNorm: 1 }).steps).to.equal(10);
  });

  it('needs a ball that holds the truth, and two rows a block', () => {
    const given = htNonAccFw({ rows: 60, failureProbability: 0.1, radius: 1, truthNorm: 2 });
    expect(isFeasible(given)).to.equal(false);
    expectPrescription(given, {
      conditions: [
        needs('n~ >= 2b', false, { 'n~': 15, b: 13 }),
        needs('||theta*|| <= D', false, { '||theta*||': 2, D: 1 }),
      ],
    });
  });
});
