import { logistic } from '../../../method/loss/logistic.ts';
import type { Plan } from '../../../plan/plan.ts';
import { ermUpCInc } from '../../../plan/theorem/glmProblem.ts';
import { glmGeometry, noplConvDpFw } from '../../../plan/theorem/noplConvDpFw.ts';
import { planTheorem } from '../../../plan/theorem/planTheorem.ts';
import { type Prescription, wholeSteps } from '../../../plan/theorem/prescription.ts';
import * as synthetic from '../../synthetic/figures.ts';
import type { Figure } from '../figure.ts';
import { logisticExcess } from './excessRisk.ts';
import { logisticModel } from './logisticModel.ts';
import { atEach, PAPER, type PrivateVariant, privateReadings } from './privateReadings.ts';
import { grid, inChunks, withComposedNoise } from './variants.ts';

const features = 3;
const truthNorm = Math.sqrt(features);
const model = () => logisticModel({ truthNorm, smallestEigenvalue: 1 / (3 * features) });
const printedRadius = (rows: number): number => (12 * features) / (model().varianceAtTruth * rows ** (2 / 5));

const accelerated = (rows: number, epsilon: number, delta: number): Prescription =>
  ermUpCInc({ ...model(), rows, failureProbability: 1 / 3, radius: printedRadius(rows), epsilon, delta });

const withinTruth = (rows: number, epsilon: number, delta: number): Prescription =>
  ermUpCInc({ ...model(), rows, failureProbability: 1 / 3, epsilon, delta });

/** T ~ n^(2/5) log n with a constant of 1, as theorem ERM_UP_C_Inc states it: log_{1/c}(n) is fifty times that here. */
const shortened = (rows: number, epsilon: number, delta: number): Prescription =>
  withComposedNoise(accelerated(rows, epsilon, delta), wholeSteps(rows ** (2 / 5) * Math.log(rows)));

const plain = (rows: number, epsilon: number, delta: number, radius: number = printedRadius(rows)): Prescription =>
  noplConvDpFw({
    rows,
    radius,
    lipschitz: 2,
    ...glmGeometry({ ...model(), features, radius }),
    epsilon,
    delta,
  });

const plainWithinTruth = (rows: number, epsilon: number, delta: number): Prescription =>
  plain(rows, epsilon, delta, truthNorm - printedRadius(rows));

const planned = (rows: number, given: Prescription, { calibration, mode }: PrivateVariant): Plan =>
  planTheorem(mode === 'fresh' ? inChunks(given, rows) : given, {
    rows,
    features,
    loss: logistic(),
    calibration,
    despite: ['||theta*|| > D', 'zeta < 1/3'],
  });

const both = (rows: number, variant: PrivateVariant, fast: typeof accelerated, slow: typeof accelerated) =>
  atEach([0.5, 0.9], epsilon => ({
    ACCFW: planned(rows, fast(rows, epsilon, variant.delta), variant),
    FW: planned(rows, slow(rows, epsilon, variant.delta), variant),
  }));

/**
 * Figure plot2: theorem ERM_UP_C_Inc (alg:PrivFWERM) against lemma NOPLconvDPFW (alg:PrivNon-accERM), logistic loss, p
 * = 3. Shown: log excess empirical risk against n.
 *
 * The text prints D = 12 p / (Phi''(sqrt p) n^(2/5)), which lacks "||theta*|| -": as printed D exceeds ||theta*||,
 * with it D is negative below n = 3.4e5. The primary reading takes D as printed, for both methods, and zeta = 1/3 where
 * the theorem requires less: outside the theorem in two ways.
 */
export const plot2 = (): Figure => ({
  name: 'plot2',
  title: 'Private Frank-Wolfe, logistic regression',
  x: 'n',
  y: 'log excess empirical risk',
  studies: [
    {
      sample: synthetic.plot2,
      sizes: grid(500, 5500, 500),
      measure: data => {
        const excess = logisticExcess(data);
        return theta => Math.log(excess(theta));
      },
      readings: [
        // T exceeds n, so only the short T can be run on disjoint chunks.
        ...privateReadings(
          (rows, variant) => both(rows, variant, variant.mode === 'fresh' ? shortened : accelerated, plain),
          {
            primary: 'D as printed for both, T = log_{1/c}(n), delta = 1/3',
            parallel: ', T = n^(2/5) log n for the accelerated method, since log_{1/c}(n) exceeds n',
            sizes: [1000, 5500],
          },
        ),
        {
          name: 'D=|theta*|-gap',
          about:
            'D = ||theta*|| - 12 p / (Phi’’(sqrt p) n^(2/5)) for both, as the theorem has it: negative below n = 3.4e5, so that it is run at n = 350,000, where D = 0.024',
          sizes: [350_000],
          range: { from: 350_000, to: 350_000, because: 'D is negative at the n of the figure' },
          plans: rows => (truthNorm > printedRadius(rows) ? both(rows, PAPER, withinTruth, plainWithinTruth) : {}),
        },
        {
          name: 'FW on B(|theta*|)',
          about: 'D as printed and T = n^(2/5) log n for the accelerated method, plain Frank-Wolfe on B2(||theta*||)',
          plans: rows => both(rows, PAPER, shortened, (rows, epsilon, delta) => plain(rows, epsilon, delta, truthNorm)),
        },
        {
          name: 'T=n^(2/5) log n',
          about: 'D as printed for both, T = n^(2/5) log n for the accelerated method',
          plans: rows => both(rows, PAPER, shortened, plain),
        },
      ],
    },
  ],
  claim: {
    text: 'accelerated Frank-Wolfe does better than Frank-Wolfe',
    comparisons: [0.5, 0.9].map(epsilon => ({ lower: `ACCFW eps=${epsilon}`, upper: `FW eps=${epsilon}` })),
    range: { from: 2750, to: 5500, because: 'the upper half of n, where the rates should tell' },
  },
});
