import { lastValueFrom, tap } from 'rxjs';
import { seeded } from '../../../math/random/seeded.ts';
import type { Vector } from '../../../math/vector.ts';
import { squared } from '../../../method/loss/squared.ts';
import { planTheorem } from '../../../plan/theorem/planTheorem.ts';
import { upRidge } from '../../../plan/theorem/upRidge.ts';
import { utilPrivSgd } from '../../../plan/theorem/utilPrivSgd.ts';
import { simulatedGaussian } from '../../../privacy/simulatedGaussian.ts';
import { samplesOf } from '../../../sample/samples.ts';
import * as synthetic from '../../synthetic/figures.ts';
import type { Exhibit } from '../exhibit.ts';
import type { Point } from '../figure.ts';
import { privateSgd } from '../privateSgd.ts';
import { iteratesOf } from '../runFigure.ts';
import { squaredExcess } from './excessRisk.ts';

const features = 10;
const radius = 1 / (4 * Math.sqrt(features));
const lipschitz = Math.sqrt(features) + features * radius;
const sizes = [125, 250, 500, 1000];
/** The numbers of passes over the rows after which errors are recorded, besides the last of either method. */
const looks = [1, 2, 5, 10, 20, 50, 100, 200, 500];

const readings = [
  { name: 'primary', about: 'the paper’s noise, delta = 1/3', delta: 1 / 3 },
  { name: 'delta=1e-6', about: 'the paper’s noise with delta = 1e-6', delta: 1e-6 },
];

/** As measured; Frank-Wolfe's share is negligible. */
const workOf = (rows: number): number => 60 * rows ** 2;

/**
 * Appendix AppSGD: private SGD (alg:Priv_SGD, lemma Util_Priv_SGD) beside private accelerated Frank-Wolfe (theorem
 * UPRidge) on plot1's data, eps = 0.9. Both claim an excess risk of order 1/(n eps), with n^2 gradients of single rows
 * and with n log n. Shown: log excess risk against gradients.
 */
export const sgdGradients = (): Exhibit => ({
  name: 'private-sgd',
  title: 'Private SGD and the gradients it takes',
  x: 'gradients of single rows',
  xScale: 'log',
  y: 'log excess empirical risk',
  readings,
  claim: {
    text: 'accelerated Frank-Wolfe needs fewer gradients than private SGD: after as many, its excess risk is the lower one',
    comparisons: sizes.map(rows => ({ lower: `ACCFW n=${rows}`, upper: `SGD n=${rows}` })),
    range: { from: 0, to: 1e6, because: 'wherever both have an iterate' },
  },
  remark:
    'Frank-Wolfe ends after some n log n gradients, the last of its marks, SGD after n^2. The appendix compares bounds, which are the same up to constants and logarithms; at these n the constants decide. More than n = 1,000 would take SGD hours.',
  work: readings.length * sizes.reduce((sum, rows) => sum + workOf(rows), 0),
  run: async (seed, { reading: only, onWork } = {}) => {
    const points: Point[] = [];
    for (const { name, delta } of readings.filter(({ name }) => only === undefined || name === only)) {
      for (const rows of sizes) {
        points.push(...(await runs(seed, rows, name, delta)));
        onWork?.(workOf(rows));
      }
    }
    return points;
  },
});

async function runs(seed: number, rows: number, reading: string, delta: number): Promise<Point[]> {
  const points: Point[] = [];
  const { batch } = synthetic.plot1(rows, seed);
  const excess = squaredExcess(batch, radius);
  const budget = { epsilon: 0.9, delta };
  const plan = planTheorem(upRidge({ rows, features, radius, gradientRatio: 1, ...budget }), {
    rows,
    features,
    loss: squared(),
  });
  const last = plan.steps.length;
  const look = (series: string, passes: number, theta: Vector): void => {
    if (passes !== last && passes !== rows && !looks.includes(passes)) return;
    points.push({ reading, series, x: passes * rows, value: Math.log(excess(theta)) });
  };
  const [fast, single] = [`ACCFW n=${rows}`, `SGD n=${rows}`];
  const noise = simulatedGaussian(seeded(seed, `private-sgd, ${fast}`));
  await lastValueFrom(
    iteratesOf(plan, samplesOf(batch), noise).pipe(tap(({ step, theta }) => look(fast, step, theta))),
  );
  const prescription = utilPrivSgd({ rows, features, radius, lipschitz, ...budget });
  const random = seeded(seed, `private-sgd, ${single}`);
  for (const { gradients, theta } of privateSgd({ data: batch, loss: squared(), prescription, random })) {
    look(single, gradients / rows, theta);
  }
  return points;
}
