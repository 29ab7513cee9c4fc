// A share eps of the rows is arbitrary: gradient descent and Nesterov with the Huber estimator (alg:HubGradTrunc), with medians of means and with
// means, on 8 fresh chunks. Prints ||theta_T - theta*|| by eps in %, with sqrt(eps log p), the claimed error up to a constant.
import { lastValueFrom } from 'rxjs';
import * as flow from '../src/flow/index.ts';
import * as sluice from '../src/index.ts';
import * as paper from '../src/lab/paper/index.ts';
import * as methods from '../src/method/index.ts';

const { planFit, split, descend, blockSums } = sluice;
const { aggregateBy, huberGradient } = flow;
const seeds = Number(process.argv[2] ?? 3);
const [rows, features, steps, loss] = [20_000, 10, 8, sluice.squared()];
const GD = sluice.projectedGradient({ stepSize: 6 / 5 });
const AGD = sluice.nesterov({ stepSize: 1, momentum: (1 - Math.sqrt(2 / 3)) / (1 + Math.sqrt(2 / 3)) });

const runs: paper.Point[][] = [];
for (let seed = 0; seed < seeds; seed++) {
  const points: paper.Point[] = [];
  const clean = paper.synthetic.plot5(rows, seed, { features });
  for (const outliers of ['gradient', 'point', 'cluster'] as const) {
    for (const share of [0, 0.1, 0.2]) {
      const random = sluice.seeded(seed, 'outliers');
      const { batch, truth } = paper.contaminate(clean, { share, outliers, random });
      const add = (name: string, value: number) =>
        points.push({ reading: '', series: `${outliers}, ${name}`, x: 100 * share, value });
      for (const [method, rule] of Object.entries({ GD, AGD })) {
        for (const aggregate of [{ huber: share }, 'median-of-means', 'mean'] as const) {
          const plan = planFit({ rows, features, loss, rule, steps, aggregate });
          const chunks = split(flow.samplesOf(batch), { chunks: plan.steps.map(step => step.rows) });
          const how = plan.estimation;
          const [name, ...stages] =
            how.kind === 'huber'
              ? (['Huber', huberGradient(plan, how)] as const)
              : ([how.aggregator.name, blockSums(plan), aggregateBy(how.aggregator)] as const);
          const { theta } = await lastValueFrom(chunks.pipe(descend(plan, ...stages)));
          add(`${method} ${name}`, methods.distance(theta, truth));
        }
      }
      add('sqrt(eps log p)', Math.sqrt(share * Math.log(features)));
    }
  }
  runs.push(points);
}
console.log(paper.cellTable(runs, { series: 'method', x: 'spoilt, %', value: '||theta_T - theta*||' }));
