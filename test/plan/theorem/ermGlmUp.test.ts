import { expect } from 'chai';
import { ermGlmUp } from '../../../src/plan/theorem/glmProblem.ts';
import { isFeasible } from '../../../src/plan/theorem/prescription.ts';
import { glmNoise, glmSetting, varianceAtTruth } from '../../support/glmSetting.ts';
import { claims, expectPrescription, needs } from '../../support/prescriptions.ts';

describe('ermGlmUp', () => {
  it('prescribes r = C2 on a fixed ball, and claims its rate from ((sqrt(C1 log 2n) + 1)/C2)^4 rows on', () => {
    for (const [rows, radius, claimed] of [
      [5500, 1, false],
      [1e15, 0.5, true],
    ] as const) {
      const truthNorm = Math.sqrt(3);
      const C2 = ((varianceAtTruth / 9) * (truthNorm - radius)) / 4;
      const c = 1 - C2 / (8 * radius * (1 / 4));
      const T = Math.ceil(Math.log(rows) / Math.log(1 / c));
      const bound = ((Math.sqrt(Math.log(2 * rows)) + 1) / C2) ** 4;
      const given = ermGlmUp({ ...glmSetting, rows, radius });
      expect(isFeasible(given)).to.equal(true);
      expectPrescription(given, {
        theorem: 'ERM_GLM_UP',
        rule: 'accelerated-frank-wolfe',
        mode: 'full',
        steps: T,
        chunkRows: rows,
        stepSize: C2 / radius,
        radius,
        gradientFloor: C2,
        contraction: c,
        estimator: { kind: 'mean' },
        privacy: { epsilon: 0.9, delta: 1 / 3, lipschitz: 2, sigma: glmNoise(rows, T) },
        claim: { quantity: 'risk', rate: '1/(n eps)', exponent: -1 },
        conditions: [
          needs('eps <= 0.9', true, { eps: 0.9 }),
          needs('D > 0', true, { D: radius }),
          needs('r > 0', true, { r: C2 }),
          needs('||theta*|| > D', true, { '||theta*||': truthNorm, D: radius }),
          claims('n > ((sqrt(C1 log 2n) + 1)/C2)^4', claimed, { n: rows, bound }),
        ],
      });
    }
  });

  it('has no answer where the truth lies in the ball, nor noise above epsilon = 0.9', () => {
    const given = ermGlmUp({ ...glmSetting, rows: 5500, radius: 2, epsilon: 0.95 });
    expect(isFeasible(given)).to.equal(false);
    expect(given.steps).to.equal(Infinity);
    expect(given.privacy!.sigma).to.equal(null);
    expect(given.conditions.filter(({ met }) => !met).map(({ statement }) => statement)).to.deep.equal([
      'eps <= 0.9',
      'r > 0',
      '||theta*|| > D',
      'n > ((sqrt(C1 log 2n) + 1)/C2)^4',
    ]);
  });
});
