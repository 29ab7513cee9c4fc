import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { isFeasible } from '../../../src/plan/theorem/prescription.ts';
import { accFwLambdaZero } from '../../../src/plan/theorem/spectrum.ts';
import { blocksFor, expectPrescription, needs } from '../../support/prescriptions.ts';

const penaltyRange = 'c_K/4 <= gamma <= c_K/2';
const radiusRange = '||(Sigma + C1 c_K I)^-1 Sigma theta*|| <= K <= ||(Sigma + c_K I)^-1 Sigma theta*||';

describe('accFwLambdaZero', () => {
  for (const [m, T] of [
    [3, 2362],
    [6, 3031],
    [9, 6942],
  ] as const) {
    it(`prescribes figure plot6's accelerated run for m = ${m}: gamma = c_K/2, K and u at their upper ends`, () => {
      const rows = 50_000;
      const [cK, visible] = [Math.sqrt((10 - m) / 10), Math.sqrt(m / 10)];
      const gamma = cK / 2;
      const K = visible / (1 + cK);
      const u = (gamma * visible * cK) / (2 * (1 + cK) ** 3);
      const c = 1 - u / (8 * K * (1 + gamma));
      expect(Math.ceil(Math.log(rows) / Math.log(1 / c))).to.equal(T);
      const b = blocksFor(0.1 / T);
      const given = accFwLambdaZero({
        rows,
        failureProbability: 0.1,
        mode: 'full',
        eigenvalues: new Float64Array(10).fill(1, 0, m),
        truth: new Float64Array(10).fill(1 / Math.sqrt(10)),
      });
      expectPrescription(given, {
        theorem: 'ACCFW_lambda=0',
        rule: 'accelerated-frank-wolfe',
        mode: 'full',
        steps: T,
        chunkRows: rows,
        stepSize: u / (4 * K * (1 + gamma)),
        radius: K,
        gradientFloor: u,
        contraction: c,
        penalty: gamma,
        estimator: { kind: 'median-of-means', blocks: b },
        privacy: null,
        claim: { quantity: 'parameter', rate: 'n^(-1/4) c_K^(-1/4) + c_K + c_K^(1/2)', exponent: -1 / 4 },
        conditions: [
          needs('n~ >= 2b', true, { 'n~': rows, b }),
          needs(penaltyRange, true, { gamma, c_K: cK }),
          needs(radiusRange, true, { K, inner: visible / (1 + 2 * cK), outer: K }),
        ],
      });
    });
  }

  const problem = {
    rows: 10_000,
    failureProbability: 0.1,
    mode: 'full',
    eigenvalues: Float64Array.of(2, 0.5, 0),
    truth: Float64Array.of(1, 2, 0.8),
  } as const;

  it('takes S_mm, the least positive eigenvalue, for u and lambda_max for the step', () => {
    const [cK, gamma] = [0.8, 0.3];
    const inner = Math.hypot(2 / (2 + 1.5 * cK), (2 * 0.5) / (0.5 + 1.5 * cK));
    const outer = Math.hypot(2 / (2 + cK), (2 * 0.5) / (0.5 + cK));
    const K = (inner + outer) / 2;
    const u = (gamma * 0.25 * Math.sqrt(5) * cK) / (2 * 1.3 ** 3);
    const given = accFwLambdaZero({ ...problem, penalty: gamma, radius: K, innerFactor: 1.5 });
    expect(isFeasible(given)).to.equal(true);
    expectPrescription(given, {
      penalty: gamma,
      radius: K,
      gradientFloor: u,
      stepSize: u / (4 * K * 2.3),
      contraction: 1 - u / (8 * K * 2.3),
    });
    expect(given.conditions[2]!.numbers).to.have.keys('K', 'inner', 'outer');
    expect(given.conditions[2]!.numbers['inner']).to.be.closeTo(inner, 1e-14);
    expect(given.conditions[2]!.numbers['outer']).to.be.closeTo(outer, 1e-14);
  });

  it('needs gamma in [c_K/4, c_K/2] and K between its two norms', () => {
    const unmet = (options: object) =>
      accFwLambdaZero({ ...problem, ...options })
        .conditions.filter(({ met }) => !met)
        .map(({ statement }) => statement);
    expect(unmet({})).to.deep.equal([]);
    expect(unmet({ penalty: 0.2 })).to.deep.equal([]);
    expect(unmet({ penalty: 0.19 })).to.deep.equal([penaltyRange]);
    expect(unmet({ penalty: 0.41 })).to.deep.equal([penaltyRange]);
    expect(unmet({ radius: 5 })).to.deep.equal([radiusRange]);
    expect(unmet({ radius: 0.1 })).to.deep.equal([radiusRange]);
  });

  it('refuses a truth with no hidden part, and an inner factor of 1', () => {
    expect(() => accFwLambdaZero({ ...problem, truth: Float64Array.of(1, 2, 0) })).to.throw(
      ArgumentError,
      'truth must have a part where the covariance is 0, got [1, 2, 0]; use theorem HT_Ridge_min>0 or ACCFWROB',
    );
    for (const innerFactor of [Number.NaN, 1, -2, Infinity]) {
      expect(() => accFwLambdaZero({ ...problem, innerFactor })).to.throw(
        ArgumentError,
        `innerFactor must be a finite number above 1, got ${innerFactor}`,
      );
    }
  });
});
