// Rows of which a share eps is arbitrary: gradient descent and Nesterov with the Huber estimator (alg:HubGradTrunc), with medians of means and with
// means, on 10 fresh chunks. Prints ||theta_T - theta*|| by eps in %, beside sqrt(eps log p), the claimed error up to a constant.
import { lastValueFrom } from 'rxjs';
import * as sluice from '../src/index.ts';

const { planFit, split, descend, blockSums, aggregateBy, huberGradient } = sluice;
const seeds = Number(process.argv[2] ?? 3);
const [rows, features, steps, loss] = [20_000, 10, 10, sluice.squared()];
const GD = sluice.projectedGradient({ stepSize: 6 / 5 });
const AGD = sluice.nesterov({ stepSize: 1, momentum: 0.1 });

const runs: sluice.Point[][] = [];
for (let seed = 0; seed < seeds; seed++) {
  const points: sluice.Point[] = [];
  const clean = sluice.synthetic.plot5(rows, seed, { features });
  for (const outliers of ['point', 'cluster', 'gradient'] as const) {
    for (const share of [0, 0.05, 0.1, 0.15, 0.2]) {
      const random = sluice.seeded(seed, 'outliers');
      const { batch, truth } = sluice.contaminate(clean, { share, outliers, random });
      const add = (name: string, value: number) =>
        points.push({ reading: '', series: `${outliers}, ${name}`, x: 100 * share, value });
      for (const [method, rule] of Object.entries({ GD, AGD })) {
        for (const aggregate of [{ huber: share }, 'median-of-means', 'mean'] as const) {
          const plan = planFit({ rows, features, loss, rule, steps, aggregate });
          const chunks = split(sluice.samplesOf(batch), { chunks: plan.steps.map(step => step.rows) });
          const how = plan.estimation;
          const isHuber = how.kind === 'huber';
          const stages = isHuber
            ? [huberGradient(plan, how)]
            : [blockSums(plan), aggregateBy(how.aggregator)];
          const { theta } = await lastValueFrom(chunks.pipe(descend(plan, ...stages)));
          add(`${method} ${isHuber ? 'Huber' : how.aggregator.name}`, sluice.distance(theta, truth));
        }
      }
      add('claimed', Math.sqrt(share * Math.log(features)));
    }
  }
  runs.push(points);
}
console.log(sluice.cellTable(runs));
