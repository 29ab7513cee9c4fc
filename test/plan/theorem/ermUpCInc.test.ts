import { expect } from 'chai';
import { ermUpCInc, iterRateIncC } from '../../../src/plan/theorem/glmProblem.ts';
import { isFeasible } from '../../../src/plan/theorem/prescription.ts';
import { glmNoise, glmSetting, varianceAtTruth } from '../../support/glmSetting.ts';
import { claims, expectPrescription, needs } from '../../support/prescriptions.ts';

const truthNorm = Math.sqrt(3);
/** n > (4 C1)^5 log^5(2/zeta), and for the second theorem n > 8 (lambda_max + 1/27) 81 log(6/zeta), lambda_max = L_x^2 = 1. */
const enoughRows = (label: string, rows: number, zeta: number, C1 = 1) => {
  const bound = (4 * C1) ** 5 * Math.log(2 / zeta) ** 5;
  const C4 = (8 * (1 + 1 / 27)) / (1 / 81);
  const least = C4 * Math.log(6 / zeta);
  return [
    claims('n > (4 C1)^5 log^5(2/zeta)', rows > bound, { n: rows, bound, C1 }),
    ...(label === 'Iter_Rate_Inc_C'
      ? [claims('n > C4 log(2p/zeta)', rows > least, { n: rows, bound: least, C4 })]
      : []),
  ];
};
const gapAt = (rows: number) => (4 / (varianceAtTruth / 9)) * rows ** -0.4;

for (const [theorem, label, zeta, most, claim] of [
  [ermUpCInc, 'ERM_UP_C_Inc', 0.3, '1/3', { quantity: 'risk', rate: 'n^(-4/5) / eps', exponent: -4 / 5 }],
  [
    iterRateIncC,
    'Iter_Rate_Inc_C',
    0.2,
    '1/4',
    { quantity: 'parameter', rate: 'n^(-1/2) + n^(-2/5) eps^(-1/2)', exponent: -2 / 5 },
  ],
] as const) {
  describe(theorem.name, () => {
    it("prescribes a ball of radius D = ||theta*|| - C3 n^(-2/5) for figure plot2's data", () => {
      for (const rows of [1_000_000, 20_000_000]) {
        const D = truthNorm - gapAt(rows);
        const r = rows ** -0.4 - Math.sqrt(Math.log(2 / zeta) / rows);
        const c = 1 - r / (8 * D * (1 / 4));
        const T = Math.ceil(Math.log(rows) / Math.log(1 / c));
        const given = theorem({ ...glmSetting, features: 3, rows, failureProbability: zeta });
        expect(isFeasible(given)).to.equal(true);
        expectPrescription(given, {
          theorem: label,
          rule: 'accelerated-frank-wolfe',
          mode: 'full',
          steps: T,
          chunkRows: rows,
          stepSize: r / (4 * D * (1 / 4)),
          radius: D,
          gradientFloor: r,
          contraction: c,
          penalty: 0,
          estimator: { kind: 'mean' },
          privacy: { epsilon: 0.9, delta: 1 / 3, lipschitz: 2, sigma: glmNoise(rows, T) },
          claim,
          conditions: [
            needs('eps <= 0.9', true, { eps: 0.9 }),
            needs('D > 0', true, { D }),
            needs('r > 0', true, { r }),
            needs('||theta*|| > D', true, { '||theta*||': truthNorm, D }),
            claims('D <= ||theta*|| - C3 n^(-2/5)', true, { D, bound: D }),
            needs(`zeta < ${most}`, true, { zeta }),
            ...enoughRows(label, rows, zeta),
          ],
        });
      }
    });

    it("has no answer at figure plot2's own n = 5,500, where D is negative", () => {
      const D = truthNorm - gapAt(5500);
      const given = theorem({ ...glmSetting, features: 3, rows: 5500, failureProbability: 1 / 3 });
      expect(D).to.be.below(0);
      expect(isFeasible(given)).to.equal(false);
      expectPrescription(given, {
        steps: Infinity,
        stepSize: 0,
        contraction: 1,
        privacy: { epsilon: 0.9, delta: 1 / 3, lipschitz: 2, sigma: null },
      });
      const r = 5500 ** -0.4 - Math.sqrt(Math.log(6) / 5500);
      expectPrescription(given, {
        conditions: [
          needs('eps <= 0.9', true, { eps: 0.9 }),
          needs('D > 0', false, { D }),
          needs('r > 0', true, { r }),
          needs('||theta*|| > D', true, { '||theta*||': truthNorm, D }),
          claims('D <= ||theta*|| - C3 n^(-2/5)', true, { D, bound: D }),
          needs(`zeta < ${most}`, false, { zeta: 1 / 3 }),
          ...enoughRows(label, 5500, 1 / 3),
        ],
      });
    });

    it('takes a given radius instead, such as the D that the figure prints, which exceeds ||theta*||', () => {
      const printed = (12 * 3) / (varianceAtTruth * 5500 ** 0.4);
      const given = theorem({ ...glmSetting, features: 3, rows: 5500, failureProbability: zeta, radius: printed });
      expect(isFeasible(given)).to.equal(false);
      expectPrescription(given, { radius: printed });
      expect(given.steps).to.be.below(Infinity);
      expect(given.conditions.filter(({ met }) => !met).map(({ statement }) => statement)).to.deep.equal([
        '||theta*|| > D',
        'D <= ||theta*|| - C3 n^(-2/5)',
        'n > (4 C1)^5 log^5(2/zeta)',
      ]);
      const point = theorem({ ...glmSetting, features: 3, rows: 5500, failureProbability: zeta, radius: 0 });
      expect(point.conditions[1]).to.deep.equal(needs('D > 0', false, { D: 0 }));
      expect(point.steps).to.equal(Infinity);
      const inside = theorem({ ...glmSetting, features: 3, rows: 5500, failureProbability: zeta, radius: 1 });
      expect(isFeasible(inside)).to.equal(true);
    });

    it('has no answer where n is too small for r > 0, nor noise above epsilon = 0.9', () => {
      const rows = 20;
      const r = rows ** -0.4 - Math.sqrt((4 * Math.log(2 / zeta)) / rows);
      const given = theorem({
        ...glmSetting,
        features: 3,
        rows,
        failureProbability: zeta,
        radius: 1,
        concentration: 4,
        epsilon: 1,
      });
      expect(r).to.be.below(0);
      expect(isFeasible(given)).to.equal(false);
      expectPrescription(given, {
        steps: Infinity,
        gradientFloor: r,
        privacy: { epsilon: 1, delta: 1 / 3, lipschitz: 2, sigma: null },
        conditions: [
          needs('eps <= 0.9', false, { eps: 1 }),
          needs('D > 0', true, { D: 1 }),
          needs('r > 0', false, { r }),
          needs('||theta*|| > D', true, { '||theta*||': truthNorm, D: 1 }),
          claims('D <= ||theta*|| - C3 n^(-2/5)', false, { D: 1, bound: truthNorm - gapAt(rows) }),
          needs(`zeta < ${most}`, true, { zeta }),
          ...enoughRows(label, rows, zeta, 4),
        ],
      });
    });
  });
}
