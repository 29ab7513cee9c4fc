import { distance } from '../../../math/vector.ts';
import { squared } from '../../../method/loss/squared.ts';
import type { Plan } from '../../../plan/plan.ts';
import { glmHtGd, htAgd } from '../../../plan/theorem/htAgd.ts';
import { planTheorem } from '../../../plan/theorem/planTheorem.ts';
import type { Prescription } from '../../../plan/theorem/prescription.ts';
import * as synthetic from '../../synthetic/figures.ts';
import type { Figure } from '../figure.ts';
import { grid } from './variants.ts';

const features = 100;
const smoothness = 1;
const fewer = [2000, 5000, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000];

/** C1, which is unknown, enters only the theorems' conditions; 0.05 is small enough for both at n = 2,000. */
const problem = (rows: number, mode: Prescription['mode'] = 'fresh') => ({
  rows,
  features,
  failureProbability: 1 / 10,
  smoothness,
  strongConvexity: 2 / 3,
  concentration: 0.05,
  mode,
});

const planned = (rows: number, given: Prescription): Plan => planTheorem(given, { rows, features, loss: squared() });

const both = (rows: number, fast: Prescription, slow: Prescription = glmHtGd(problem(rows))) => ({
  AGD: planned(rows, fast),
  GD: planned(rows, slow),
});

/**
 * Figure plot5: Nesterov's method (theorem htAGD) against gradient descent (lemma GLMhtGD) with G_MOM on T disjoint
 * chunks, squared loss, p = 100. Shown: log ||theta_T - theta*|| against n.
 */
export const plot5 = (): Figure => ({
  name: 'plot5',
  title: 'Median of means under heavy tails, T by the theorems',
  x: 'n',
  y: 'log ||theta_T - theta*||',
  studies: [
    {
      sample: synthetic.plot5,
      sizes: [2000, ...grid(5000, 60_000, 5000)],
      measure: (_, truth) => theta => Math.log(distance(theta, truth)),
      readings: [
        {
          name: 'primary',
          about: 'T disjoint chunks',
          plans: rows => both(rows, htAgd(problem(rows))),
        },
        {
          name: 'full batch',
          about: 'every gradient from all rows',
          sizes: fewer,
          plans: rows => both(rows, htAgd(problem(rows, 'full')), glmHtGd(problem(rows, 'full'))),
        },
        {
          name: 'eta=2/tau_u',
          about: 'theorem htAGD’s step size as printed',
          sizes: fewer,
          plans: rows => both(rows, { ...htAgd(problem(rows)), stepSize: 2 / smoothness }),
        },
        {
          name: 'GD as AGD',
          about: 'control: gradient descent at the step size, T and blocks of Nesterov’s method',
          sizes: fewer,
          plans: rows => {
            const fast = htAgd(problem(rows));
            return both(rows, fast, { ...fast, rule: 'projected-gradient', momentum: null });
          },
        },
      ],
    },
  ],
  claim: {
    text: 'Nesterov’s method yields a slight improvement',
    comparisons: [{ lower: 'AGD', upper: 'GD' }],
    range: { from: 30_000, to: 60_000, because: 'the upper half of n, where the rates should tell' },
  },
});
