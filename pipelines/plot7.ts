// Figure plot_l_bigger_0: accelerated Frank-Wolfe (theorem ACCFWROB) against plain (HT_NonAccFW) with medians of means, covariance I.
// Every gradient is computed from all rows. Prints median and quartiles of log ||theta_T - theta*|| over seeds.
import { lastValueFrom } from 'rxjs';
import * as flow from '../src/flow/index.ts';
import * as sluice from '../src/index.ts';
import * as paper from '../src/lab/paper/index.ts';
import * as methods from '../src/method/index.ts';
import * as theorems from '../src/plan/theorem/index.ts';

const { planTheorem } = theorems;
const { passes, descend, geometricMedian } = sluice;
const { gramSums } = flow;
const seeds = Number(process.argv[2] ?? 5);
const [features, truthNorm] = [10, Math.sqrt(10)];
const spectrum = { smallestEigenvalue: 1, largestEigenvalue: 1 };

const runs: paper.Point[][] = [];
for (let seed = 0; seed < seeds; seed++) {
  const points: paper.Point[] = [];
  const { batch, truth } = paper.synthetic.plot7(20_000, seed);
  for (const rows of [500, 2000, 20_000]) {
    const samples = flow.samplesOf(flow.rowsBetween(batch, 0, rows));
    const problem = { rows, failureProbability: 1 / 10, mode: 'full', truthNorm } as const;
    const ACCFW = theorems.accFwRob({ ...problem, ...spectrum, gap: 1 / 2 });
    const FW = theorems.htNonAccFw({ ...problem, radius: truthNorm });
    for (const [series, prescription] of Object.entries({ ACCFW, FW })) {
      const plan = planTheorem(prescription, { rows, features, loss: sluice.squared() });
      const chunks = passes(samples, plan.steps.length);
      const { theta } = await lastValueFrom(chunks.pipe(descend(plan, gramSums(plan), geometricMedian())));
      points.push({ reading: 'primary', series, x: rows, value: Math.log(methods.distance(theta, truth)) });
    }
  }
  runs.push(points);
}
console.log(paper.cellTable(runs, { series: 'method', x: 'rows', value: 'log ||theta_T - theta*||' }));
