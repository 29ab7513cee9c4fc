// Figure plot2: private accelerated Frank-Wolfe (theorem ERM_UP_C_Inc) against plain (lemma NOPLconvDPFW), logistic
// regression. D is as printed, which exceeds ||theta*||: a run outside the theorem, which the plan states. Prints the
// log excess risk over seeds.
import { lastValueFrom } from 'rxjs';
import * as flow from '../src/flow/index.ts';
import * as sluice from '../src/index.ts';
import * as paper from '../src/lab/paper/index.ts';
import * as theorems from '../src/plan/theorem/index.ts';
import * as privacy from '../src/privacy/index.ts';

const { planTheorem } = theorems;
const { passes, descend, blockSums, perturb, mean } = sluice;
const seeds = Number(process.argv[2] ?? 3);
const [features, delta] = [3, 1 / 3];
const [truthNorm, loss] = [Math.sqrt(features), sluice.logistic()];
const model = { loss, targetBound: 1, featureNorm: 1, smallestEigenvalue: 1 / (3 * features), truthNorm };
const despite = ['||theta*|| > D', 'zeta < 1/3'];

const runs: paper.Point[][] = [];
for (let seed = 0; seed < seeds; seed++) {
  const points: paper.Point[] = [];
  const { batch } = paper.synthetic.plot2(5500, seed);
  for (const rows of [500, 5500]) {
    const data = flow.rowsBetween(batch, 0, rows);
    const excess = paper.logisticExcess(data);
    const radius = (12 * features) / (loss.variance(truthNorm) * rows ** (2 / 5));
    const geometry = theorems.glmGeometry({ features, radius, varianceBound: 1 / 4, featureNorm: 1 });
    for (const epsilon of [0.5, 0.9]) {
      const ACCFW = theorems.ermUpCInc({ ...model, rows, radius, failureProbability: 1 / 3, epsilon, delta });
      const FW = theorems.noplConvDpFw({ rows, radius, lipschitz: 2, ...geometry, epsilon, delta });
      for (const [method, prescription] of Object.entries({ ACCFW, FW })) {
        const series = `${method} eps=${epsilon}`;
        const plan = planTheorem(prescription, { rows, features, loss, despite });
        const noise = privacy.simulatedGaussian(sluice.seeded(seed, `plot2, ${series}, ${rows}`));
        const stages = [blockSums(plan), perturb(noise, plan), mean()];
        const chunks = passes(flow.samplesOf(data), plan.steps.length);
        const { theta } = await lastValueFrom(chunks.pipe(descend(plan, ...stages)));
        points.push({ reading: 'primary', series, x: rows, value: Math.log(excess(theta)) });
      }
    }
  }
  runs.push(points);
}
console.log(paper.cellTable(runs, { series: 'method', x: 'rows', value: 'log excess empirical risk' }));
