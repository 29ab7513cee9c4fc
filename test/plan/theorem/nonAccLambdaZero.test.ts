import { expect } from 'chai';
import { isFeasible } from '../../../src/plan/theorem/prescription.ts';
import { nonAccLambdaZero } from '../../../src/plan/theorem/spectrum.ts';
import { expectClose } from '../../support/close.ts';
import { blocksFor, expectPrescription, needs } from '../../support/prescriptions.ts';

describe('nonAccLambdaZero', () => {
  for (const m of [3, 6, 9]) {
    it(`prescribes figure plot6's plain run for m = ${m}: D = 1, gamma = n^(-1/9), full batch`, () => {
      for (const [rows, T] of [
        [50_000, 37],
        [1000, 10],
      ] as const) {
        const [gamma, b] = [rows ** (-1 / 9), blocksFor(0.1 / T)];
        const problem = {
          rows,
          failureProbability: 0.1,
          mode: 'full',
          eigenvalues: new Float64Array(10).fill(1, 0, m),
          truth: new Float64Array(10).fill(1 / Math.sqrt(10)),
          radius: 1,
        } as const;
        expectPrescription(nonAccLambdaZero(problem), {
          theorem: 'NonACC_lambda=0',
          rule: 'frank-wolfe',
          mode: 'full',
          steps: T,
          chunkRows: rows,
          stepSize: 'harmonic',
          radius: 1,
          gradientFloor: null,
          contraction: null,
          penalty: gamma,
          estimator: { kind: 'median-of-means', blocks: b },
          privacy: null,
          conditions: [
            needs('n~ >= 2b', true, { 'n~': rows, b }),
            needs('D >= ||(Sigma + gamma I)^-1 Sigma theta*||', true, {
              D: 1,
              bound: Math.sqrt(m / 10) / (1 + gamma),
            }),
          ],
        });
      }
    });
  }

  it('takes the least radius that it may, unless one is given', () => {
    const gamma = 512 ** (-1 / 9);
    const problem = {
      rows: 512,
      failureProbability: 0.1,
      eigenvalues: Float64Array.of(2, 0.5, 0),
      truth: Float64Array.of(1, 2, 3),
    };
    const least = Math.hypot(2 / (2 + gamma), (0.5 / (0.5 + gamma)) * 2);
    expect(gamma).to.be.closeTo(1 / 2, 1e-15);
    expectPrescription(nonAccLambdaZero(problem), { radius: least, penalty: gamma, steps: 8, chunkRows: 64 });
    expect(isFeasible(nonAccLambdaZero(problem))).to.equal(true);
    const narrow = nonAccLambdaZero({ ...problem, radius: 0.5 });
    expect(isFeasible(narrow)).to.equal(false);
    expectPrescription(narrow, {
      conditions: [
        needs('n~ >= 2b', true, { 'n~': 64, b: blocksFor(0.1 / 8) }),
        needs('D >= ||(Sigma + gamma I)^-1 Sigma theta*||', false, { D: 0.5, bound: least }),
      ],
    });
  });

  it('claims n^(-1/9) + c_K, with its number in the bound', () => {
    const { claim, bound } = nonAccLambdaZero({
      rows: 512,
      failureProbability: 0.1,
      eigenvalues: Float64Array.of(1, 0, 0),
      truth: Float64Array.of(1, 3, 4),
    });
    expect(claim).to.deep.equal({
      quantity: 'parameter',
      rate: 'n^(-1/9) + c_K',
      exponent: -1 / 9,
    });
    expect(bound.open.c_K).to.equal(5);
    expectClose(bound.value, Math.SQRT2 * Math.log(5120) ** 0.25 * 512 ** (-1 / 9) + 5);
  });
});
