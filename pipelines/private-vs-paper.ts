// What exact accounting is worth: private regression under Student t(3) noise, delta = 1e-6, by the library's two calibrations and by the paper's
// noise. Prints, and draws, distances to the truth by epsilon, over seeds: tsx pipelines/private-vs-paper.ts [rows] [seeds] [picture.svg]
import { writeFileSync } from 'node:fs';
import * as fit from '../src/fit/index.ts';
import * as flow from '../src/flow/index.ts';
import * as sluice from '../src/index.ts';
import * as paper from '../src/lab/paper/index.ts';
import * as methods from '../src/method/index.ts';
import * as planning from '../src/plan/index.ts';
import * as theorems from '../src/plan/theorem/index.ts';
import * as privacy from '../src/privacy/index.ts';
import * as report from '../src/sink/index.ts';

const [rows = 100_000, seeds = 20] = process.argv.slice(2, 4).map(Number);
const [features, delta, loss] = [10, 1e-6, sluice.pseudoHuber(0.2)];
const intervals = Array(features).fill({ least: -1 / Math.sqrt(features), most: 1 / Math.sqrt(features) });
const asTheyAre = { intercept: false, scalesTarget: false, target: { least: -1000, most: 1000 } };
const scaling = planning.scalingOf({ features, bounds: { intervals }, ...asTheyAre });

const runs: paper.Point[][] = Array.from({ length: seeds }, () => []);
for (const epsilon of [0.9, 0.5, 0.2, 0.1]) {
  const common = { rows, loss, scaling, epsilon, delta };
  // Rows are down-weighted by their norm to about a fifth, so steps are longer accordingly.
  const full = { steps: epsilon < 0.5 ? 12 : 20, momentum: 0.5, stepSize: 15 };
  const fresh = epsilon < 0.9 ? { steps: 6, momentum: 0.3, stepSize: 40 } : { ...full, steps: 15 };
  const constants = { lipschitz: 0.2, smoothness: 1 / 30, failureProbability: 0.1 };
  const prescribed = theorems.privHtGdSmooth({ ...common, ...constants });
  const theorem = theorems.planTheorem(prescribed, { rows, features, loss });
  for (const [seed, points] of runs.entries()) {
    const { batch, truth } = paper.synthetic.plot3(rows, seed);
    const add = (series: string, theta: methods.Vector) =>
      points.push({ reading: '', series, x: epsilon, value: methods.distance(theta, truth) });
    for (const [mode, asked] of [['full', full] as const, ['fresh', fresh] as const]) {
      const plan = planning.planPrivate({ ...common, ...asked, mode });
      const random = sluice.seeded(seed, mode);
      const { theta } = await fit.fitPrivate(flow.samplesOf(batch), plan, { random });
      add(`${mode}, ${plan.plan.privacy!.calibration}`, theta);
    }
    const noise = privacy.simulatedGaussian(sluice.seeded(seed, 'paper'));
    add('paper', paper.descendArrays(batch, theorem, noise).at(-1)!.theta);
  }
}
console.log(paper.cellTable(runs, { series: 'plan', x: 'epsilon', value: 'the distance to the truth' }));
const logs = runs.map(points => points.map(point => ({ ...point, value: Math.log10(point.value) })));
const panels = [{ title: '', points: paper.figureCells(logs) }];
const [title, y] = ['What exact accounting is worth', 'log10 of the distance to the truth'];
const picture = await report.chartSvg({ title, subtitle: `n = ${rows}`, x: 'epsilon', y, panels });
if (process.argv[4] !== undefined) writeFileSync(process.argv[4], picture);
