// What a guarantee costs in gradients: private SGD (alg:Priv_SGD, n^2 single rows) compared with private accelerated
// Frank-Wolfe (theorem UPRidge) on plot1's data, eps = 0.9, delta = 1/3. Prints the median log excess risk by the
// number of single-row gradients.
import { lastValueFrom, toArray } from 'rxjs';
import * as flow from '../src/flow/index.ts';
import * as sluice from '../src/index.ts';
import * as paper from '../src/lab/paper/index.ts';
import type * as methods from '../src/method/index.ts';
import * as theorems from '../src/plan/theorem/index.ts';
import * as privacy from '../src/privacy/index.ts';

const { planTheorem } = theorems;
const { passes, descend, perturb, mean } = sluice;
const { gramSums } = flow;
const seeds = Number(process.argv[2] ?? 3);
const [features, radius, loss] = [10, 1 / (4 * Math.sqrt(10)), sluice.squared()];
const lipschitz = Math.sqrt(features) + features * radius;
const budget = { epsilon: 0.9, delta: 1 / 3 };

const runs: paper.Point[][] = [];
for (let seed = 0; seed < seeds; seed++) {
  const points: paper.Point[] = [];
  for (const rows of [250, 500, 1000]) {
    const { batch } = paper.synthetic.plot1(rows, seed);
    const excess = paper.squaredExcess(batch, radius);
    const add = (series: string, x: number, theta: methods.Vector) =>
      points.push({ reading: 'primary', series, x, value: Math.log(excess(theta)) });
    const [fast, single] = [`ACCFW n=${rows}`, `SGD n=${rows}`];
    const accelerated = theorems.upRidge({ rows, features, radius, gradientRatio: 1, ...budget });
    const plan = planTheorem(accelerated, { rows, features, loss });
    const noise = privacy.simulatedGaussian(sluice.seeded(seed, `private-sgd, ${fast}`));
    const stages = [gramSums(plan), perturb(noise, plan), mean()];
    const chunks = passes(flow.samplesOf(batch), plan.steps.length);
    const thetas = await lastValueFrom(chunks.pipe(descend(plan, ...stages), toArray()));
    for (const { step, theta } of thetas) if ([1, 10, thetas.length].includes(step)) add(fast, step * rows, theta);

    const prescription = theorems.utilPrivSgd({ rows, features, radius, lipschitz, ...budget });
    const random = sluice.seeded(seed, `private-sgd, ${single}`);
    for (const { gradients, theta } of paper.privateSgd({ data: batch, loss, prescription, random })) {
      if ([rows, 10 * rows, rows ** 2].includes(gradients)) add(single, gradients, theta);
    }
  }
  runs.push(points);
}
const heads = { series: 'method and rows', x: 'gradients of rows', value: 'log excess risk' };
console.log(paper.cellTable(runs, heads));
