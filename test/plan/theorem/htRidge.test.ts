import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { isFeasible } from '../../../src/plan/theorem/prescription.ts';
import { htRidgeSingular, htRidgeWellConditioned } from '../../../src/plan/theorem/spectrum.ts';
import { blocksFor, expectPrescription, needs } from '../../support/prescriptions.ts';

const enough = 'n~ > 4 C1^2 log(1/zeta~)/tau_l^2';
const wide = 'D >= ||(Sigma + gamma I)^-1 Sigma theta*||';

describe('htRidgeWellConditioned', () => {
  const problem = {
    failureProbability: 0.1,
    eigenvalues: Float64Array.of(1, 0.8, 0.5),
    truth: Float64Array.of(1, -1, 2),
  };

  it('prescribes gamma = n^(-1/2) and projected gradient descent on the least ball', () => {
    for (const [rows, T] of [
      [10_000, 12],
      [1_000_000, 18],
    ] as const) {
      const gamma = 1 / Math.sqrt(rows);
      const [upper, lower] = [1 + gamma, 0.5 + gamma];
      expect(Math.ceil(Math.log(Math.sqrt(rows)) / Math.log((upper + lower) / upper))).to.equal(T);
      const D = Math.hypot(1 / (1 + gamma), 0.8 / (0.8 + gamma), (2 * 0.5) / (0.5 + gamma));
      const [chunkRows, b] = [Math.floor(rows / T), blocksFor(0.1 / T)];
      expectPrescription(htRidgeWellConditioned({ ...problem, rows }), {
        theorem: 'HT_Ridge_min>0',
        rule: 'projected-gradient',
        mode: 'fresh',
        steps: T,
        chunkRows,
        stepSize: 2 / (upper + lower),
        momentum: null,
        radius: D,
        contraction: upper / (upper + lower),
        penalty: gamma,
        estimator: { kind: 'median-of-means', blocks: b },
        privacy: null,
        claim: { quantity: 'parameter', rate: 'n^(-1/2)', exponent: -1 / 2 },
        conditions: [
          needs('n~ >= 2b', true, { 'n~': chunkRows, b }),
          needs(enough, true, { 'n~': chunkRows, bound: (4 * Math.log(T / 0.1)) / lower ** 2 }),
          needs(wide, true, { D, bound: D }),
        ],
      });
    }
  });

  it('needs a ball that holds the ridge solution', () => {
    const narrow = htRidgeWellConditioned({ ...problem, rows: 10_000, radius: 1 });
    expect(narrow.conditions[2]!.met).to.equal(false);
    expect(isFeasible(narrow)).to.equal(false);
    const broad = htRidgeWellConditioned({ ...problem, rows: 10_000, radius: 3 });
    expectPrescription(broad, { radius: 3 });
    expect(isFeasible(broad)).to.equal(true);
  });

  it('refuses a singular covariance, and names the theorem for it', () => {
    expect(() => htRidgeWellConditioned({ ...problem, rows: 100, eigenvalues: Float64Array.of(1, 0, 1) })).to.throw(
      ArgumentError,
      'eigenvalues[1] must be above 0, got 0; use theorem HT_Ridge_min=0',
    );
  });
});

describe('htRidgeSingular', () => {
  const problem = {
    rows: 100_000,
    failureProbability: 0.1,
    eigenvalues: new Float64Array(10).fill(1, 0, 3),
    truth: new Float64Array(10).fill(1 / Math.sqrt(10)),
  };

  it("prescribes gamma = n^(-1/5) on figure plot6's data, with too few rows for C1 = 1", () => {
    const T = Math.ceil(Math.log(Math.sqrt(1e5)) / Math.log(1.2 / 1.1));
    const [chunkRows, b] = [Math.floor(1e5 / T), blocksFor(0.1 / T)];
    expect(T).to.equal(67);
    for (const [concentration, met] of [
      [1, false],
      [0.5, true],
    ] as const) {
      const given = htRidgeSingular({ ...problem, concentration });
      expectPrescription(given, {
        theorem: 'HT_Ridge_min=0',
        rule: 'projected-gradient',
        steps: T,
        chunkRows,
        penalty: 0.1,
        stepSize: 2 / 1.2,
        contraction: 1.1 / 1.2,
        radius: Math.sqrt(0.3) / 1.1,
        estimator: { kind: 'median-of-means', blocks: b },
        claim: { quantity: 'parameter', rate: 'n^(-1/5) + c_K', exponent: -1 / 5 },
        conditions: [
          needs('n~ >= 2b', true, { 'n~': chunkRows, b }),
          needs(enough, met, {
            'n~': chunkRows,
            bound: (4 * concentration ** 2 * Math.log(T / 0.1)) / 0.1 ** 2,
          }),
          needs(wide, true, { D: Math.sqrt(0.3) / 1.1, bound: Math.sqrt(0.3) / 1.1 }),
        ],
      });
      expect(isFeasible(given)).to.equal(met);
    }
  });

  it('refuses a regular covariance, and names the theorem for it', () => {
    expect(() => htRidgeSingular({ ...problem, eigenvalues: new Float64Array(10).fill(1) })).to.throw(
      ArgumentError,
      /^eigenvalues must hold a 0, got .*; use theorem HT_Ridge_min>0 or HT_NonAccFW$/,
    );
  });
});
