// The data of the lower bound (theorem LBRidge), on which proposition MatchData says that theorem UPRidge's condition
// holds, tau = k/(w p) free. Prints the log excess risk of private accelerated Frank-Wolfe as n grows, eps = 0.9, delta
// = 1/3, and the log of the condition's margin over S1 (0 or more: it holds). X is planted and not a fingerprinting
// code: this shows that the method runs under its conditions on such data, and cannot show the lower bound n^(-2/3)
// itself.
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
const features = 16;

const runs: paper.Point[][] = [];
for (let seed = 0; seed < seeds; seed++) {
  const points: paper.Point[] = [];
  for (const orthogonalRows of [64, 256, 1024, 4096, 16_384]) {
    const codeRows = (10 * orthogonalRows) / features;
    const random = sluice.seeded(seed, `lower bound ${orthogonalRows}`);
    const { batch, radius, gradientFloor } = paper.lowerBoundData({
      features,
      codeRows,
      orthogonalRows,
      random,
    });
    const problem = { rows: batch.rows, features, radius, gradientRatio: gradientFloor };
    const given = theorems.upRidge({ ...problem, epsilon: 0.9, delta: 1 / 3 });
    const plan = planTheorem(given, { rows: batch.rows, features, loss: sluice.squared() });
    const noise = privacy.simulatedGaussian(sluice.seeded(seed, `lower bound, ACCFW eps=0.9, ${batch.rows}`));
    const stages = [gramSums(plan), perturb(noise, plan), mean()];
    const iterates = passes(flow.samplesOf(batch), plan.steps.length).pipe(descend(plan, ...stages));
    const { theta } = await lastValueFrom(iterates);
    const value = Math.log(paper.squaredExcess(batch, radius)(theta));
    points.push({ reading: 'primary', series: 'ACCFW eps=0.9', x: batch.rows, value });
    const condition = Math.log(paper.leastGradient(batch, radius) / gradientFloor);
    points.push({ reading: 'MatchData', series: 'condition / S1', x: batch.rows, value: condition });
  }
  runs.push(points);
}
const heads = { series: 'series', x: 'rows', value: 'log excess risk, log condition / S1' };
console.log(paper.cellTable(runs, heads));
