// Figure plot6: accelerated Frank-Wolfe (theorem ACCFW_lambda=0) against plain (NonACC_lambda=0) with medians of means, ridge, covariance of rank m.
// Every gradient is computed from all rows. Prints median and quartiles of ||theta_T - theta*|| over seeds.
import { lastValueFrom } from 'rxjs';
import * as flow from '../src/flow/index.ts';
import * as sluice from '../src/index.ts';
import * as paper from '../src/lab/paper/index.ts';
import * as methods from '../src/method/index.ts';
import * as theorems from '../src/plan/theorem/index.ts';

const { planTheorem } = theorems;
const { passes, descend, geometricMedian } = sluice;
const { gramSums } = flow;
const seeds = Number(process.argv[2] ?? 3);
const features = 10;

const runs: paper.Point[][] = [];
for (let seed = 0; seed < seeds; seed++) {
  const points: paper.Point[] = [];
  for (const rank of [3, 6, 9]) {
    const eigenvalues = methods.zeros(features).fill(1, 0, rank);
    const { batch, truth } = paper.synthetic.plot6(50_000, seed, { rank });
    for (const rows of [5000, 50_000]) {
      const samples = flow.samplesOf(flow.rowsBetween(batch, 0, rows));
      const problem = { rows, failureProbability: 1 / 10, mode: 'full', eigenvalues, truth } as const;
      const ACCFW = theorems.accFwLambdaZero(problem);
      const FW = theorems.nonAccLambdaZero({ ...problem, radius: 1 });
      for (const [method, prescription] of Object.entries({ ACCFW, FW })) {
        const plan = planTheorem(prescription, { rows, features, loss: sluice.squared() });
        const chunks = passes(samples, plan.steps.length);
        const { theta } = await lastValueFrom(chunks.pipe(descend(plan, gramSums(plan), geometricMedian())));
        const value = methods.distance(theta, truth);
        points.push({ reading: 'primary', series: `${method} m=${rank}`, x: rows, value });
      }
    }
  }
  runs.push(points);
}
console.log(paper.cellTable(runs, { series: 'method', x: 'rows', value: '||theta_T - theta*||' }));
