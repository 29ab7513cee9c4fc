import { distance } from '../../../math/vector.ts';
import { squared } from '../../../method/loss/squared.ts';
import type { Plan } from '../../../plan/plan.ts';
import { accFwRob, htNonAccFw } from '../../../plan/theorem/accFwRob.ts';
import { planTheorem } from '../../../plan/theorem/planTheorem.ts';
import type { Prescription } from '../../../plan/theorem/prescription.ts';
import * as synthetic from '../../synthetic/figures.ts';
import type { Figure } from '../figure.ts';
import { grid, inSmallChunks } from './variants.ts';

const features = 10;
const truthNorm = Math.sqrt(features);

const methods = (rows: number): Readonly<Record<'ACCFW' | 'FW', Prescription>> => {
  const problem = { rows, failureProbability: 1 / 10, mode: 'full', truthNorm } as const;
  return {
    ACCFW: accFwRob({ ...problem, smallestEigenvalue: 1, largestEigenvalue: 1, gap: 1 / 2 }),
    FW: htNonAccFw({ ...problem, radius: truthNorm }),
  };
};

const planned = (rows: number, given: Prescription): Plan =>
  planTheorem(given, { rows, features, loss: squared(), despite: ['n~ >= 2b'] });

const plans = (rows: number, { ACCFW, FW }: ReturnType<typeof methods>) => ({
  ACCFW: planned(rows, ACCFW),
  FW: planned(rows, FW),
});

/**
 * Figure plot_l_bigger_0: theorem ACCFWROB against HT_NonAccFW with G_MOM, squared loss, Sigma = I, p = 10, C1 = 1/2.
 * Shown: log ||theta_T - theta*|| against n. The primary reading computes every gradient from all rows: T chunks of
 * these n are too small for G_MOM.
 */
export const plot7 = (): Figure => ({
  name: 'plot7',
  title: 'Frank-Wolfe under heavy tails (plot_l_bigger_0)',
  x: 'n',
  y: 'log ||theta_T - theta*||',
  studies: [
    {
      sample: synthetic.plot7,
      sizes: [500, ...grid(1000, 20_000, 1000)],
      measure: (_, truth) => theta => Math.log(distance(theta, truth)),
      readings: [
        {
          name: 'primary',
          about: 'every gradient from all rows',
          plans: rows => plans(rows, methods(rows)),
        },
        {
          name: 'split',
          about: 'T disjoint chunks, with as many blocks as they allow',
          plans: rows => {
            const { ACCFW, FW } = methods(rows);
            return plans(rows, { ACCFW: inSmallChunks(ACCFW, rows), FW: inSmallChunks(FW, rows) });
          },
        },
        {
          name: 'one T',
          about: 'control: plain Frank-Wolfe with the T and blocks of the accelerated one',
          sizes: [500, 2000, 5000, 10_000, 20_000],
          plans: rows => {
            const { ACCFW, FW } = methods(rows);
            const { steps, estimator } = ACCFW;
            return plans(rows, { ACCFW, FW: { ...FW, steps, estimator } });
          },
        },
      ],
    },
  ],
  claim: {
    text: 'accelerated Frank-Wolfe outperforms Frank-Wolfe',
    comparisons: [{ lower: 'ACCFW', upper: 'FW' }],
    range: { from: 10_000, to: 20_000, because: 'the upper half of n, where the rates should tell' },
  },
});
