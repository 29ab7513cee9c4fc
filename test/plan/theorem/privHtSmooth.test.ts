import { expect } from 'chai';
import { isFeasible } from '../../../src/plan/theorem/prescription.ts';
import { privHtAgdSmooth, privHtGdSmooth } from '../../../src/plan/theorem/privHtSmooth.ts';
import { expectPrescription, needs } from '../../support/prescriptions.ts';

const theorems = [
  [
    privHtGdSmooth,
    {
      theorem: 'Priv_HT_GD_Smooth',
      rule: 'projected-gradient',
      momentum: null,
      claim: { quantity: 'risk', rate: 'n^(-1/5) + n^(-1/2)/eps', exponent: -1 / 5 },
    },
  ],
  [
    privHtAgdSmooth,
    {
      theorem: 'Priv_HT_AGD_Smooth',
      rule: 'nesterov',
      momentum: 'increasing',
      claim: { quantity: 'risk', rate: 'n^(-2/5) + n^(-1)/eps^2', exponent: -2 / 5 },
    },
  ],
] as const;

describe('privHtGdSmooth and privHtAgdSmooth', () => {
  for (const [theorem, stated] of theorems) {
    it(`prescribe figure plot3's run by ${stated.theorem}: p = 10, q = 1/5, tau_u = 1/(3p), L2 = 1/5, delta = 1/3`, () => {
      for (const [rows, epsilon, T, chunkRows] of [
        [100_000, 0.9, 10, 10_000],
        [20_000, 0.1, 8, 2500],
        [1000, 0.9, 4, 250],
      ] as const) {
        const variance =
          (64 * 0.2 ** 2 * T * Math.log((5 * T * 3) / 2) * Math.log(6)) / (chunkRows ** 2 * epsilon ** 2);
        const problem = {
          rows,
          lipschitz: 0.2,
          smoothness: 1 / 30,
          failureProbability: 0.1,
          epsilon,
          delta: 1 / 3,
        };
        expectPrescription(theorem(problem), {
          ...stated,
          mode: 'fresh',
          steps: T,
          chunkRows,
          stepSize: 30,
          radius: null,
          contraction: null,
          penalty: 0,
          estimator: { kind: 'mean' },
          privacy: { epsilon, delta: 1 / 3, lipschitz: 0.2, sigma: Math.sqrt(variance) },
          conditions: [
            needs('eps <= 0.9', true, { eps: epsilon }),
            needs('n~ > 8 log(4/zeta~)', true, { 'n~': chunkRows, bound: 8 * Math.log((4 * T) / 0.1) }),
          ],
        });
      }
    });

    it(`refuse by ${stated.theorem} an epsilon above 0.9 and chunks that are too small`, () => {
      const small = {
        rows: 100,
        lipschitz: 1,
        smoothness: 1,
        failureProbability: 0.1,
        epsilon: 2,
        delta: 1e-6,
      };
      const given = theorem(small);
      expect(isFeasible(given)).to.equal(false);
      expect(given.privacy?.sigma).to.equal(null);
      expectPrescription(given, {
        steps: 3,
        conditions: [
          needs('eps <= 0.9', false, { eps: 2 }),
          needs('n~ > 8 log(4/zeta~)', false, { 'n~': 33, bound: 8 * Math.log(120) }),
        ],
      });
    });
  }
});
