import { squared } from '../../../method/loss/squared.ts';
import type { Plan } from '../../../plan/plan.ts';
import { noplConvDpFw, squaredGeometry } from '../../../plan/theorem/noplConvDpFw.ts';
import { planTheorem } from '../../../plan/theorem/planTheorem.ts';
import type { Prescription } from '../../../plan/theorem/prescription.ts';
import { upRidge } from '../../../plan/theorem/upRidge.ts';
import * as synthetic from '../../synthetic/figures.ts';
import type { Figure } from '../figure.ts';
import { squaredExcess } from './excessRisk.ts';
import { atEach, PAPER, type PrivateVariant, privateReadings } from './privateReadings.ts';
import { grid, inChunks, withComposedNoise } from './variants.ts';

const features = 10;
const radius = 1 / (4 * Math.sqrt(features));
const lipschitz = Math.sqrt(features) + features * radius;

const accelerated = (rows: number, epsilon: number, delta: number): Prescription =>
  upRidge({ rows, features, radius, gradientRatio: 1, epsilon, delta });

const plain = (rows: number, epsilon: number, delta: number): Prescription =>
  noplConvDpFw({ rows, radius, lipschitz, ...squaredGeometry({ features, radius }), epsilon, delta });

const planned = (rows: number, given: Prescription, { calibration, mode }: PrivateVariant): Plan =>
  planTheorem(mode === 'fresh' ? inChunks(given, rows) : given, {
    rows,
    features,
    loss: squared(),
    calibration,
  });

const plans = (rows: number, variant: PrivateVariant) =>
  atEach([0.5, 0.9], epsilon => ({
    ACCFW: planned(rows, accelerated(rows, epsilon, variant.delta), variant),
    FW: planned(rows, plain(rows, epsilon, variant.delta), variant),
  }));

/**
 * Figure plot1: theorem UPRidge (alg:PrivFWERM) against lemma NOPLconvDPFW (alg:PrivNon-accERM), squared loss over C =
 * B2(1/(4 sqrt p)), S1 = 1, on separated points of the cube. Shown: log excess empirical risk against n.
 */
export const plot1 = (): Figure => ({
  name: 'plot1',
  title: 'Private Frank-Wolfe, squared loss',
  x: 'n',
  y: 'log excess empirical risk',
  studies: [
    {
      sample: synthetic.plot1,
      sizes: [500, ...grid(1000, 10_000, 1000)],
      measure: data => {
        const excess = squaredExcess(data, radius);
        return theta => Math.log(excess(theta));
      },
      readings: [
        ...privateReadings(plans, { primary: 'algorithms 3 and 2 with the paper’s noise, delta = 1/3' }),
        {
          name: 'one noise formula',
          about: 'control: plain Frank-Wolfe with the noise formula of the accelerated one',
          plans: rows => ({
            ...plans(rows, PAPER),
            ...atEach([0.5, 0.9], epsilon => ({
              FW: planned(rows, withComposedNoise(plain(rows, epsilon, PAPER.delta)), PAPER),
            })),
          }),
        },
      ],
    },
  ],
  claim: {
    text: 'accelerated Frank-Wolfe outperforms Frank-Wolfe',
    comparisons: [0.5, 0.9].map(epsilon => ({ lower: `ACCFW eps=${epsilon}`, upper: `FW eps=${epsilon}` })),
    range: { from: 5000, to: 10_000, because: 'the upper half of n, where the rates should tell' },
  },
});
