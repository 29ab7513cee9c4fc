import { seeded } from '../../../math/random/seeded.ts';
import { distance } from '../../../math/vector.ts';
import { squared } from '../../../method/loss/squared.ts';
import { nesterov } from '../../../method/rule/nesterov.ts';
import { projectedGradient } from '../../../method/rule/projectedGradient.ts';
import { planFit } from '../../../plan/planFit.ts';
import { constantMomentum } from '../../../plan/theorem/stability.ts';
import { contaminate, type Outliers } from '../../synthetic/contaminate.ts';
import * as synthetic from '../../synthetic/figures.ts';
import type { Exhibit } from '../exhibit.ts';
import type { Point } from '../figure.ts';
import { lastTheta } from '../runFigure.ts';

const [rows, features, steps] = [20_000, 10, 8];
const [upper, lower] = [1, 2 / 3];
const shares = [0, 0.05, 0.1, 0.15, 0.2];
const rules = {
  GD: () => projectedGradient({ stepSize: 2 / (upper + lower) }),
  AGD: () => nesterov({ stepSize: 1 / upper, momentum: constantMomentum(upper, lower) }),
};
const claimed = 'sqrt(eps log p)';

const readings: readonly { name: string; about: string; outliers: Outliers }[] = [
  {
    name: 'primary',
    about: 'adversarial: rows of ordinary size whose gradients all point one way',
    outliers: 'gradient',
  },
  { name: 'point mass', about: 'all outliers at one point, with a target far out', outliers: 'point' },
  { name: 'shifted cluster', about: 'rows shifted away, with targets of their own', outliers: 'cluster' },
];

/** As measured: the Huber estimator reads every gradient of a chunk many times. */
const workOf = 150 * rows * features;

/**
 * Theorems Hu_eps_PGD and Hu_eps_Nester: a share eps of the rows is arbitrary. Gradient descent and Nesterov's method
 * with the Huber estimator (alg:HubGradTrunc), with medians of means and with means, on 8 disjoint chunks. Shown:
 * ||theta_T - theta*|| against eps, beside sqrt(eps log p), the claimed error up to a constant. T is 8 for all, because
 * the theorems' T is infinite at eps = 0.
 */
export const contamination = (): Exhibit => ({
  name: 'contamination',
  title: 'Rows of which a share eps is arbitrary',
  x: 'eps in %',
  y: '||theta_T - theta*||',
  readings,
  claim: {
    text: 'with the Huber estimator the error is of order sqrt(eps log p), and below those of mean and median of means',
    comparisons: Object.keys(rules).flatMap(method =>
      [`${method} median of means`, `${method} mean`, claimed].map(other => ({
        lower: `${method} Huber`,
        upper: other,
      })),
    ),
    range: { from: 5, to: 20, because: 'all eps but 0, at which there is nothing to withstand' },
  },
  remark:
    'sqrt(eps log p) is the theorems’ error with a constant of 1. The median of means is no defence here: from 5 % on, nearly every block holds outliers.',
  work: workOf * readings.length * shares.length,
  run: async (seed, { reading: only, onWork } = {}) => {
    const points: Point[] = [];
    const clean = synthetic.plot5(rows, seed, { features });
    for (const { name: reading, outliers } of readings.filter(({ name }) => only === undefined || name === only)) {
      for (const share of shares) {
        const random = seeded(seed, 'outliers');
        const { batch, truth } = contaminate(clean, { share, outliers, random });
        const add = (series: string, value: number): void => {
          points.push({ reading, series, x: Math.round(100 * share), value });
        };
        for (const [method, rule] of Object.entries(rules)) {
          for (const [name, aggregate] of [
            ['Huber', { huber: share }],
            ['median of means', 'median-of-means'],
            ['mean', 'mean'],
          ] as const) {
            const plan = planFit({ rows, features, loss: squared(), rule: rule(), steps, aggregate });
            add(`${method} ${name}`, distance(await lastTheta(plan, batch, random), truth));
          }
        }
        add(claimed, Math.sqrt(share * Math.log(features)));
        onWork?.(workOf);
      }
    }
    return points;
  },
});
