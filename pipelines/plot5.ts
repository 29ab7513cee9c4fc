// Figure plot5: Nesterov (theorem htAGD) against gradient descent (lemma GLMhtGD) with medians of means on disjoint
// chunks, T by the theorems. Prints median and quartiles of log ||theta_T - theta*|| over seeds. `sluice reproduce
// plot5` adds the other readings and the picture.
import { lastValueFrom } from 'rxjs';
import * as flow from '../src/flow/index.ts';
import * as sluice from '../src/index.ts';
import * as paper from '../src/lab/paper/index.ts';
import { distance } from '../src/method/index.ts';
import * as theorems from '../src/plan/theorem/index.ts';

const { planTheorem } = theorems;
const { split, descend, blockSums, geometricMedian } = sluice;
const seeds = Number(process.argv[2] ?? 5);
// C1, which is unknown, enters only the theorems' conditions; 0.05 is small enough for both at n = 2,000.
const curvature = { smoothness: 1, strongConvexity: 2 / 3, concentration: 0.05 };
const problem = { features: 100, failureProbability: 1 / 10, ...curvature };

const runs: paper.Point[][] = [];
for (let seed = 0; seed < seeds; seed++) {
  const points: paper.Point[] = [];
  const { batch, truth } = paper.synthetic.plot5(60_000, seed);
  for (const rows of [2000, 10_000, 60_000]) {
    const samples = flow.samplesOf(flow.rowsBetween(batch, 0, rows));
    const methods = { AGD: theorems.htAgd({ ...problem, rows }), GD: theorems.glmHtGd({ ...problem, rows }) };
    for (const [series, prescription] of Object.entries(methods)) {
      const plan = planTheorem(prescription, { rows, features: 100, loss: sluice.squared() });
      const chunks = split(samples, { chunks: plan.steps.map(step => step.rows) });
      const { theta } = await lastValueFrom(chunks.pipe(descend(plan, blockSums(plan), geometricMedian())));
      points.push({ reading: 'primary', series, x: rows, value: Math.log(distance(theta, truth)) });
    }
  }
  runs.push(points);
}
console.log(paper.cellTable(runs, { series: 'method', x: 'rows', value: 'log ||theta_T - theta*||' }));
