// Figure plot3: private Nesterov (theorem Priv_HT_AGD_Smooth) against gradient descent (Priv_HT_GD_Smooth),
// pseudo-Huber loss, t(3) noise. Every step sees a fresh chunk. Prints median and quartiles of log ||theta_T - theta*||
// over seeds.
import { lastValueFrom } from 'rxjs';
import * as flow from '../src/flow/index.ts';
import * as sluice from '../src/index.ts';
import * as paper from '../src/lab/paper/index.ts';
import * as methods from '../src/method/index.ts';
import * as theorems from '../src/plan/theorem/index.ts';
import * as privacy from '../src/privacy/index.ts';

const { planTheorem } = theorems;
const { split, descend, blockSums, perturb, mean } = sluice;
const seeds = Number(process.argv[2] ?? 5);
const [features, loss] = [10, sluice.pseudoHuber(1 / 5)];
const problem = { lipschitz: 1 / 5, smoothness: 1 / 30, failureProbability: 1 / 10, delta: 1 / 3 };
const twoPoints = { before: methods.zeros(features), start: methods.filled(features, 1.1) };

const runs: paper.Point[][] = [];
for (let seed = 0; seed < seeds; seed++) {
  const points: paper.Point[] = [];
  const { batch, truth } = paper.synthetic.plot3(100_000, seed);
  for (const rows of [1000, 20_000, 100_000]) {
    const samples = flow.samplesOf(flow.rowsBetween(batch, 0, rows));
    for (const epsilon of [0.1, 0.9]) {
      const given = { ...problem, rows, epsilon };
      const plans = {
        AGD: planTheorem(theorems.privHtAgdSmooth(given), { rows, features, loss, ...twoPoints }),
        GD: planTheorem(theorems.privHtGdSmooth(given), { rows, features, loss }),
      };
      for (const [method, plan] of Object.entries(plans)) {
        const series = `${method} eps=${epsilon}`;
        const noise = privacy.simulatedGaussian(sluice.seeded(seed, `plot3, ${series}, ${rows}`));
        const stages = [blockSums(plan), perturb(noise, plan), mean()];
        const iterates = split(samples, { chunks: plan.steps.map(step => step.rows) }).pipe(descend(plan, ...stages));
        const { theta } = await lastValueFrom(iterates);
        points.push({ reading: 'primary', series, x: rows, value: Math.log(methods.distance(theta, truth)) });
      }
    }
  }
  runs.push(points);
}
console.log(paper.cellTable(runs, { series: 'method', x: 'rows', value: 'log ||theta_T - theta*||' }));
