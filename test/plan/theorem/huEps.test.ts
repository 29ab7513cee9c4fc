import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { huEpsNester, huEpsPgd } from '../../../src/plan/theorem/huEps.ts';
import { isFeasible } from '../../../src/plan/theorem/prescription.ts';
import { claims, expectPrescription, needs } from '../../support/prescriptions.ts';

const problem = {
  rows: 10_000_000,
  features: 10,
  failureProbability: 0.1,
  smoothness: 1,
  strongConvexity: 2 / 3,
  contamination: 0.01,
  concentration: 0.2,
};

/** alpha(floor(n/T), zeta/T) of lemma geglmhb. */
function alphaAfter(T: number, { rows, features: p, failureProbability, contamination: eps, concentration } = problem) {
  const [n, zeta] = [Math.floor(rows / T), failureProbability / T];
  const g =
    ((p * Math.log(p) * Math.log(n / (p * zeta))) / n) ** (3 / 8) +
    ((eps * p ** 2 * Math.log(p) * Math.log((p * Math.log(p)) / zeta)) / n) ** (1 / 4);
  return concentration * (Math.sqrt(eps) + g) * Math.sqrt(Math.log(p));
}

describe('huEpsPgd', () => {
  it('prescribes the least T that is enough for its own chunks', () => {
    for (const contamination of [0.01, 1e-3, 1e-5]) {
      const given = { ...problem, contamination };
      const k = (T: number) => (1 - 2 / 3 + 2 * alphaAfter(T, given)) / (5 / 3);
      const isEnough = (T: number) => k(T) ** T <= Math.sqrt(contamination * Math.log(10));
      let T = 1;
      while (!isEnough(T)) T++;
      const chunkRows = Math.floor(problem.rows / T);
      expect(T).to.be.above(1);
      expectPrescription(huEpsPgd(given), {
        theorem: 'Hu_eps_PGD',
        rule: 'projected-gradient',
        mode: 'fresh',
        steps: T,
        chunkRows,
        stepSize: 6 / 5,
        momentum: null,
        radius: null,
        contraction: k(T),
        estimator: { kind: 'huber', contamination, failureProbability: 0.1 / T },
        privacy: null,
        claim: { quantity: 'parameter', rate: 'sqrt(eps log p)', exponent: 0 },
        conditions: [
          needs('n~ >= 1', true, { 'n~': chunkRows }),
          needs('alpha < tau_l/2', true, { alpha: alphaAfter(T, given), tau_l: 2 / 3 }),
        ],
      });
    }
  });

  it('needs alpha < tau_l/2, and says by how much it is missed', () => {
    const given = huEpsPgd({ ...problem, concentration: 1.3 });
    const alpha = given.conditions[1]!.numbers['alpha']!;
    expect(given.steps).to.be.below(Infinity);
    expect(alpha).to.be.closeTo(alphaAfter(given.steps, { ...problem, concentration: 1.3 }), 1e-12);
    expect(alpha).to.be.above(1 / 3);
    expect(isFeasible(given)).to.equal(false);
  });

  it('has no answer, soon, where no number of chunks contracts, however many rows there are', () => {
    const given = huEpsPgd({ ...problem, rows: 1e15, contamination: 0.4, concentration: 1 });
    expect(isFeasible(given)).to.equal(false);
    expectPrescription(given, { steps: Infinity, chunkRows: 0 });
    expect(given.conditions.map(({ met }) => met)).to.deep.equal([false, false]);
  });
});

describe('huEpsNester', () => {
  it('prescribes T = log_{1/rho}(1/sqrt(eps log p)), with eta = 1/tau_u', () => {
    const root = Math.sqrt(1.5);
    const lambda = (root - 1) / (root + 1);
    const rho = Math.sqrt(1 - Math.sqrt(2 / 3));
    const [f1, f2] = [(2.5 * rho - 0.5) / 2, (1 - lambda) / (2 * (1 + 2 * lambda))];
    for (const [contamination, concentration, T, stable, faster] of [
      [0.01, 0.2, 3, true, false],
      [0.01, 0.8, 3, true, true],
      [0.01, 1, 3, false, true],
      [1e-5, 0.2, 7, true, false],
    ] as const) {
      expect(Math.ceil(Math.log(1 / Math.sqrt(contamination * Math.log(10))) / Math.log(1 / rho))).to.equal(T);
      const given = { ...problem, contamination, concentration };
      const ratio = alphaAfter(T, given) / (2 / 3);
      const logs = Math.sqrt(Math.log(10));
      const gamma = alphaAfter(T, given) / (concentration * logs) - Math.sqrt(contamination);
      const mostGamma = (f1 * (2 / 3)) / (concentration * logs);
      expectPrescription(huEpsNester(given), {
        theorem: 'Hu_eps_Nester',
        rule: 'nesterov',
        mode: 'fresh',
        steps: T,
        chunkRows: Math.floor(problem.rows / T),
        stepSize: 1,
        momentum: lambda,
        contraction: rho,
        estimator: { kind: 'huber', contamination, failureProbability: 0.1 / T },
        privacy: null,
        conditions: [
          needs('n~ >= 1', true, { 'n~': Math.floor(problem.rows / T) }),
          needs('1 < tau_u/tau_l < 1.76', true, { 'tau_u/tau_l': 1.5 }),
          needs('alpha/tau_l < f2', stable, { 'alpha/tau_l': ratio, f2 }),
          claims('f1 < alpha/tau_l', faster, { 'alpha/tau_l': ratio, f1 }),
          claims('gamma < f1 tau_l/(C1 sqrt log p)', gamma < mostGamma, { gamma, bound: mostGamma }),
        ],
      });
      expect(isFeasible(huEpsNester(given))).to.equal(stable);
    }
  });

  it('has no chunk for a step where rows are fewer than steps', () => {
    const given = huEpsNester({ ...problem, rows: 2 });
    expect(given.conditions[0]).to.deep.equal(needs('n~ >= 1', false, { 'n~': 0 }));
    expect(isFeasible(given)).to.equal(false);
  });
});

describe('the edges of the Huber theorems', () => {
  it('have one step where tau_u is tau_l, which the theorem itself leaves out', () => {
    const given = huEpsNester({ ...problem, strongConvexity: 1 });
    expectPrescription(given, { steps: 1, momentum: 0, contraction: 0 });
    expect(given.conditions[1]).to.deep.equal(needs('1 < tau_u/tau_l < 1.76', false, { 'tau_u/tau_l': 1 }));
  });

  it('have one step where the contamination alone exceeds any error: sqrt(eps log p) > 1', () => {
    for (const theorem of [huEpsPgd, huEpsNester]) {
      expect(theorem({ ...problem, features: 1e6, contamination: 0.2, concentration: 1e-6 }).steps).to.equal(1);
    }
  });

  it('count no sampling error below 0: a chunk of n~ < p zeta~ rows has alpha = C1 (sqrt eps + (...)^(1/4)) sqrt(log p)', () => {
    const [n, p, zeta, eps] = [10, 1000, 0.5, 0.2];
    const given = huEpsNester({
      ...problem,
      rows: n,
      features: p,
      failureProbability: zeta,
      contamination: eps,
      concentration: 1e-3,
    });
    const outliers = ((eps * p ** 2 * Math.log(p) * Math.log((p * Math.log(p)) / zeta)) / n) ** (1 / 4);
    const alpha = 1e-3 * (Math.sqrt(eps) + outliers) * Math.sqrt(Math.log(p));
    expect(given.steps).to.equal(1);
    expect(given.conditions[2]!.numbers['alpha/tau_l']).to.be.closeTo(alpha / (2 / 3), 1e-12);
  });
});

describe('contamination', () => {
  it('is a share in (0, 0.5), of at least 2 features', () => {
    for (const theorem of [huEpsPgd, huEpsNester]) {
      for (const contamination of [Number.NaN, 0, -0.1, 0.5, Infinity]) {
        expect(() => theorem({ ...problem, contamination })).to.throw(
          ArgumentError,
          `contamination must be in (0, 0.5), got ${contamination}`,
        );
      }
      expect(() => theorem({ ...problem, features: 1 })).to.throw(
        ArgumentError,
        'features must be a whole number of at least 2, got 1',
      );
    }
  });
});
