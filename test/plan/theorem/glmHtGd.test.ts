import { expect } from 'chai';
import { glmHtGd } from '../../../src/plan/theorem/htAgd.ts';
import { isFeasible } from '../../../src/plan/theorem/prescription.ts';
import { blocksFor, expectPrescription, needs } from '../../support/prescriptions.ts';

describe('glmHtGd', () => {
  const figure = { features: 100, failureProbability: 0.1, smoothness: 1, strongConvexity: 2 / 3 };

  it("prescribes figure plot5's run: tau_u = 1, tau_l = 2/3, p = 100, zeta = 1/10", () => {
    for (const [rows, T, chunkRows, b] of [
      [60_000, 11, 5454, 17],
      [2000, 8, 250, 16],
    ] as const) {
      expect(Math.ceil(Math.log(Math.sqrt(rows)) / Math.log(5 / 3))).to.equal(T);
      expect(blocksFor(0.1 / T)).to.equal(b);
      const bound = (4 * 100 * Math.log(T / 0.1)) / (2 / 3) ** 2;
      expectPrescription(glmHtGd({ ...figure, rows }), {
        theorem: 'GLMhtGD',
        rule: 'projected-gradient',
        mode: 'fresh',
        steps: T,
        chunkRows,
        stepSize: 6 / 5,
        momentum: null,
        radius: null,
        contraction: 3 / 5,
        penalty: 0,
        estimator: { kind: 'median-of-means', blocks: b },
        privacy: null,
        claim: { quantity: 'parameter', rate: 'sqrt(p/n)', exponent: -1 / 2 },
        conditions: [
          needs('n~ >= 2b', true, { 'n~': chunkRows, b }),
          needs('n~ > 4 C1^2 p log(1/zeta~)/tau_l^2', rows === 60_000, { 'n~': chunkRows, bound }),
        ],
      });
      expect(isFeasible(glmHtGd({ ...figure, rows }))).to.equal(rows === 60_000);
    }
  });

  it('needs fewer rows by the square of a smaller C1', () => {
    const given = glmHtGd({ ...figure, rows: 2000, concentration: 0.05 });
    expect(isFeasible(given)).to.equal(true);
    expect(given.conditions[1]!.numbers['bound']).to.be.closeTo(400 * 0.0025 * Math.log(80) * 2.25, 1e-12);
  });

  it('needs chunks of two rows a block', () => {
    const given = glmHtGd({ ...figure, rows: 150, concentration: 1e-3 });
    const T = Math.ceil(Math.log(Math.sqrt(150)) / Math.log(5 / 3));
    expectPrescription(given, { steps: T, chunkRows: 30 });
    const just = glmHtGd({ ...figure, rows: 140, concentration: 1e-3 });
    expect(just.conditions[0]).to.deep.equal(needs('n~ >= 2b', true, { 'n~': 28, b: 14 }));
    expect(given.conditions[0]).to.deep.equal(needs('n~ >= 2b', true, { 'n~': 30, b: 14 }));
    const fewer = glmHtGd({ ...figure, rows: 120, concentration: 1e-3 });
    expect(fewer.conditions[0]).to.deep.equal(needs('n~ >= 2b', false, { 'n~': 24, b: 14 }));
    expect(isFeasible(fewer)).to.equal(false);
  });

  it('computes every gradient from all rows in full mode, with the same T and b', () => {
    expectPrescription(glmHtGd({ ...figure, rows: 2000, mode: 'full', concentration: 0.1 }), {
      mode: 'full',
      steps: 8,
      chunkRows: 2000,
      estimator: { kind: 'median-of-means', blocks: 16 },
    });
  });

  it('has no answer where tau_l vanishes beside tau_u', () => {
    const given = glmHtGd({ ...figure, rows: 1000, strongConvexity: 1e-20 });
    expect(given.steps).to.equal(Infinity);
    expect(isFeasible(given)).to.equal(false);
  });
});
