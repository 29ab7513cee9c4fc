// Figure plot4: Nesterov (theorem htAGD) against gradient descent (lemma GLMhtGD) with medians of means, step by step, T = 20.
// Every gradient is computed from all rows. Prints median and quartiles of log ||theta_t - theta*|| over seeds.
import { lastValueFrom, startWith, toArray } from 'rxjs';
import * as flow from '../src/flow/index.ts';
import * as sluice from '../src/index.ts';
import * as paper from '../src/lab/paper/index.ts';
import { distance } from '../src/method/index.ts';

const { planFit, passes, descend, blockSums, geometricMedian } = sluice;
const seeds = Number(process.argv[2] ?? 5);
const [features, steps, upper, lower] = [100, 20, 1, 2 / 3];
const momentum = (Math.sqrt(upper) - Math.sqrt(lower)) / (Math.sqrt(upper) + Math.sqrt(lower));
const methods = {
  AGD: sluice.nesterov({ stepSize: 1 / upper, momentum }),
  GD: sluice.projectedGradient({ stepSize: 2 / (upper + lower) }),
};

const runs: paper.Point[][] = [];
for (let seed = 0; seed < seeds; seed++) {
  const points: paper.Point[] = [];
  const { batch, truth } = paper.synthetic.plot4(1500, seed);
  for (const rows of [600, 900, 1200, 1500]) {
    const samples = flow.samplesOf(flow.rowsBetween(batch, 0, rows));
    for (const [method, rule] of Object.entries(methods)) {
      const fit = { rows, features, loss: sluice.squared(), mode: 'full', steps } as const;
      const plan = planFit({ ...fit, rule, failureProbability: 1 / 10 });
      const iterates = passes(samples, steps).pipe(descend(plan, blockSums(plan), geometricMedian()));
      const found = await lastValueFrom(iterates.pipe(startWith({ theta: plan.start }), toArray()));
      // Nesterov's theta_0 and theta_1 are given, so its theta_t comes after t - 1 gradients.
      const given = method === 'AGD' ? 1 : 0;
      for (const t of [0, 5, 10, 15, 20]) {
        const { theta } = found[Math.max(0, t - given)]!;
        const value = Math.log(distance(theta, truth));
        points.push({ reading: 'primary', series: `${method} n=${rows}`, x: t, value });
      }
    }
  }
  runs.push(points);
}
console.log(paper.cellTable(runs, { series: 'method', x: 'steps', value: 'log ||theta_t - theta*||' }));
