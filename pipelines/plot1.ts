// Figure plot1: private accelerated Frank-Wolfe (theorem UPRidge) against plain (lemma NOPLconvDPFW), squared loss over a small ball.
// Prints median and quartiles of the log excess risk over seeds. `sluice reproduce plot1` adds the other readings and the picture.
import { lastValueFrom } from 'rxjs';
import * as flow from '../src/flow/index.ts';
import * as sluice from '../src/index.ts';
import * as paper from '../src/lab/paper/index.ts';
import * as theorems from '../src/plan/theorem/index.ts';
import * as privacy from '../src/privacy/index.ts';

const { planTheorem } = theorems;
const { passes, descend, perturb, mean } = sluice;
const { gramSums } = flow;
const seeds = Number(process.argv[2] ?? 5);
const [features, radius, delta] = [10, 1 / (4 * Math.sqrt(10)), 1 / 3];
const lipschitz = Math.sqrt(features) + features * radius;
const geometry = theorems.squaredGeometry({ features, radius });

const runs: paper.Point[][] = [];
for (let seed = 0; seed < seeds; seed++) {
  const points: paper.Point[] = [];
  const { batch } = paper.synthetic.plot1(10_000, seed);
  for (const rows of [500, 2000, 10_000]) {
    const data = flow.rowsBetween(batch, 0, rows);
    const excess = paper.squaredExcess(data, radius);
    for (const epsilon of [0.5, 0.9]) {
      const methods = {
        ACCFW: theorems.upRidge({ rows, features, radius, gradientRatio: 1, epsilon, delta }),
        FW: theorems.noplConvDpFw({ rows, radius, lipschitz, ...geometry, epsilon, delta }),
      };
      for (const [method, prescription] of Object.entries(methods)) {
        const series = `${method} eps=${epsilon}`;
        const plan = planTheorem(prescription, { rows, features, loss: sluice.squared() });
        const noise = privacy.simulatedGaussian(sluice.seeded(seed, `plot1, ${series}, ${rows}`));
        const stages = [gramSums(plan), perturb(noise, plan), mean()];
        const iterates = passes(flow.samplesOf(data), plan.steps.length).pipe(descend(plan, ...stages));
        const { theta } = await lastValueFrom(iterates);
        points.push({ reading: 'primary', series, x: rows, value: Math.log(excess(theta)) });
      }
    }
  }
  runs.push(points);
}
console.log(paper.cellTable(runs, { series: 'method', x: 'rows', value: 'log excess empirical risk' }));
