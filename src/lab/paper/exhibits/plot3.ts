import { distance, filled, type Vector, zeros } from '../../../math/vector.ts';
import { pseudoHuber } from '../../../method/loss/pseudoHuber.ts';
import type { Plan } from '../../../plan/plan.ts';
import { planTheorem } from '../../../plan/theorem/planTheorem.ts';
import type { Prescription } from '../../../plan/theorem/prescription.ts';
import { privHtAgdSmooth, privHtGdSmooth } from '../../../plan/theorem/privHtSmooth.ts';
import * as synthetic from '../../synthetic/figures.ts';
import type { Figure } from '../figure.ts';
import { atEach, PAPER, type PrivateVariant, privateReadings } from './privateReadings.ts';
import { inFull, withComposedNoise } from './variants.ts';

const features = 10;
const problem = { lipschitz: 1 / 5, smoothness: 1 / (3 * features), failureProbability: 1 / 10 };
/** theta_1 of Nesterov's method: at distance 0.32 from theta*, while 0 is at 3.16. */
const near = () => filled(features, 1.1);

const planned = (
  rows: number,
  given: Prescription,
  { calibration, mode }: PrivateVariant,
  points: { readonly start?: Vector; readonly before?: Vector } = {},
): Plan =>
  planTheorem(mode === 'full' ? withComposedNoise(inFull(given, rows)) : given, {
    rows,
    features,
    loss: pseudoHuber(1 / 5),
    calibration,
    ...points,
  });

const plans = (rows: number, variant: PrivateVariant, gradientStart: Vector = zeros(features)) =>
  atEach([0.1, 0.9], epsilon => {
    const given = { ...problem, rows, epsilon, delta: variant.delta };
    return {
      AGD: planned(rows, privHtAgdSmooth(given), variant, { before: zeros(features), start: near() }),
      GD: planned(rows, privHtGdSmooth(given), variant, { start: gradientStart }),
    };
  });

/**
 * Figure plot3: theorem Priv_HT_AGD_Smooth (Nesterov) against Priv_HT_GD_Smooth (gradient descent), pseudo-Huber loss,
 * q = 1/5, on T = n^(1/5) disjoint chunks. Shown: log ||theta_T - theta*|| against n.
 */
export const plot3 = (): Figure => ({
  name: 'plot3',
  title: 'Private descent under heavy tails, pseudo-Huber loss',
  x: 'n',
  y: 'log ||theta_T - theta*||',
  studies: [
    {
      sample: synthetic.plot3,
      sizes: [
        1000, 2000, 5000, 10_000, 15_000, 20_000, 25_000, 30_000, 35_000, 40_000, 50_000, 60_000, 70_000, 75_000,
        80_000, 90_000, 100_000,
      ],
      measure: (_, truth) => theta => Math.log(distance(theta, truth)),
      readings: [
        ...privateReadings(plans, { primary: 'disjoint chunks with the paper’s noise, delta = 1/3' }),
        {
          name: 'full batch',
          about: 'every gradient from all rows, with the paper’s noise for that, delta = 1/3',
          plans: rows => plans(rows, { ...PAPER, mode: 'full' }),
        },
        {
          name: 'GD from 1.1',
          about: 'control: gradient descent begins at (1.1, ..., 1.1) too, where Nesterov’s theta_1 is',
          plans: rows => plans(rows, PAPER, near()),
        },
      ],
    },
  ],
  claim: {
    text: 'Nesterov’s method outperforms gradient descent',
    comparisons: [0.1, 0.9].map(epsilon => ({ lower: `AGD eps=${epsilon}`, upper: `GD eps=${epsilon}` })),
    range: { from: 50_000, to: 100_000, because: 'the upper half of n, where the rates should tell' },
  },
});
