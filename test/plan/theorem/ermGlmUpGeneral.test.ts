import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { glm } from '../../../src/method/loss/glm.ts';
import { ermGlmUpGeneral } from '../../../src/plan/theorem/glmProblem.ts';
import { isFeasible } from '../../../src/plan/theorem/prescription.ts';
import { glmNoise, glmSetting, varianceAtTruth } from '../../support/glmSetting.ts';
import { expectPrescription, needs } from '../../support/prescriptions.ts';

describe('ermGlmUpGeneral', () => {
  const truthNorm = Math.sqrt(3);

  it('takes r at its upper end, for any q below 1/2 and any C1', () => {
    for (const [rows, radius, slackExponent, concentration] of [
      [100_000_000, 1, undefined, undefined],
      [1_000_000_000, 1.5, 0.45, 0.5],
    ] as const) {
      const q = slackExponent ?? 2 / 5;
      const C1 = concentration ?? 1;
      const r =
        (varianceAtTruth / 9 / 2) * (truthNorm - radius) - Math.sqrt((C1 * Math.log(2 / 0.05)) / rows) - rows ** -q;
      const c = 1 - r / (8 * radius * (1 / 4));
      const T = Math.ceil(Math.log(rows) / Math.log(1 / c));
      const given = ermGlmUpGeneral({
        ...glmSetting,
        rows,
        radius,
        failureProbability: 0.05,
        ...(slackExponent && { slackExponent }),
        ...(concentration && { concentration }),
      });
      expect(isFeasible(given)).to.equal(true);
      expectPrescription(given, {
        theorem: 'ERM_GLM_UP_General',
        rule: 'accelerated-frank-wolfe',
        mode: 'full',
        steps: T,
        chunkRows: rows,
        stepSize: r / radius,
        radius,
        gradientFloor: r,
        contraction: c,
        estimator: { kind: 'mean' },
        privacy: { epsilon: 0.9, delta: 1 / 3, lipschitz: 2, sigma: glmNoise(rows, T) },
        claim: { quantity: 'risk', rate: '1/(n eps)', exponent: -1 },
        conditions: [
          needs('eps <= 0.9', true, { eps: 0.9 }),
          needs('D > 0', true, { D: radius }),
          needs('r > 0', true, { r }),
          needs('||theta*|| > D', true, { '||theta*||': truthNorm, D: radius }),
        ],
      });
    }
  });

  it("has constants of its own problem: L2 = (K_Phi' + K_y) L_x and beta_L = K_Phi'' L_x^2", () => {
    const rows = 10_000;
    const loss = glm({
      name: 'a model of a user',
      cumulant: s => (Math.abs(s) <= 6 ? s * s : 12 * Math.abs(s) - 36),
      mean: s => 2 * Math.min(6, Math.max(-6, s)),
      variance: s => (Math.abs(s) <= 6 ? 2 : 0),
      meanBound: 12,
      varianceBound: 5,
    });
    const r = (2 * 3 * (4 - 1)) / 2 - Math.sqrt(Math.log(20) / rows) - rows ** -0.4;
    const given = ermGlmUpGeneral({
      rows,
      // Phi'' = 2 at every score up to 6, then falling to 0: a model of a user's own.
      loss,
      targetBound: 1,
      featureNorm: 1.5,
      truthNorm: 4,
      smallestEigenvalue: 3,
      epsilon: 0.5,
      delta: 0.01,
      radius: 1,
      failureProbability: 0.1,
    });
    expect(given.privacy!.lipschitz).to.equal(13 * 1.5);
    expectPrescription(given, {
      gradientFloor: r,
      stepSize: r / (4 * 5 * 2.25),
      contraction: 1 - r / (8 * 5 * 2.25),
    });
  });

  it('has no answer where n is too small for r > 0 or the truth lies in the ball', () => {
    const given = ermGlmUpGeneral({ ...glmSetting, rows: 10_000, radius: 2, failureProbability: 0.05 });
    expect(isFeasible(given)).to.equal(false);
    expect(given).to.include({ steps: Infinity, stepSize: 0, contraction: 1 });
    expect(given.conditions.filter(({ met }) => !met).map(({ statement }) => statement)).to.deep.equal([
      'r > 0',
      '||theta*|| > D',
    ]);
  });

  it('refuses an epsilon above 0.9, whatever the theorem says', () => {
    const problem = { ...glmSetting, rows: 100_000_000, radius: 1, failureProbability: 0.05, epsilon: 3 };
    const given = ermGlmUpGeneral(problem);
    expect(isFeasible(given)).to.equal(false);
    expect(given.privacy!.sigma).to.equal(null);
    expect(given.conditions[0]).to.deep.equal(needs('eps <= 0.9', false, { eps: 3 }));
  });

  it('refuses a q outside (0, 1/2)', () => {
    for (const slackExponent of [Number.NaN, 0, -1, 0.5, Infinity]) {
      expect(() =>
        ermGlmUpGeneral({ ...glmSetting, rows: 100, radius: 1, failureProbability: 0.1, slackExponent }),
      ).to.throw(ArgumentError, `slackExponent must be in (0, 1/2), got ${slackExponent}`);
    }
  });
});
