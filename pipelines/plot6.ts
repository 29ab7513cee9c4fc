// Figure plot6: accelerated Frank-Wolfe (theorem ACCFW_lambda=0) against plain (NonACC_lambda=0) with medians of means, ridge, covariance of rank m.
// Every gradient is computed from all rows. Prints median and quartiles of ||theta_T - theta*|| over seeds.
import { lastValueFrom } from 'rxjs';
import * as sluice from '../src/index.ts';

const { theorems, planTheorem, passes, descend, gramSums, geometricMedian } = sluice;
const seeds = Number(process.argv[2] ?? 3);
const features = 10;

const runs: sluice.Point[][] = [];
for (let seed = 0; seed < seeds; seed++) {
  const points: sluice.Point[] = [];
  for (const rank of [3, 6, 9]) {
    const eigenvalues = sluice.zeros(features).fill(1, 0, rank);
    const { batch, truth } = sluice.synthetic.plot6(50_000, seed, { rank });
    for (const rows of [5000, 50_000]) {
      const samples = sluice.samplesOf(sluice.rowsBetween(batch, 0, rows));
      const problem = { rows, failureProbability: 1 / 10, mode: 'full', eigenvalues, truth } as const;
      const ACCFW = theorems.accFwLambdaZero(problem);
      const FW = theorems.nonAccLambdaZero({ ...problem, radius: 1 });
      for (const [method, prescription] of Object.entries({ ACCFW, FW })) {
        const plan = planTheorem(prescription, { rows, features, loss: sluice.squared() });
        const chunks = passes(samples, plan.steps.length);
        const { theta } = await lastValueFrom(chunks.pipe(descend(plan, gramSums(plan), geometricMedian())));
        const value = sluice.distance(theta, truth);
        points.push({ reading: 'primary', series: `${method} m=${rank}`, x: rows, value });
      }
    }
  }
  runs.push(points);
}
console.log(sluice.cellTable(runs, { series: 'method', x: 'rows', value: '||theta_T - theta*||' }));
