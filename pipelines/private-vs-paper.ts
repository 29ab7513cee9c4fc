// What exact accounting is worth: private regression under Student t(3) noise, delta = 1e-6, by the library's two calibrations and by
// the paper's own. Median distances to the truth over seeds: tsx pipelines/private-vs-paper.ts [rows] [seeds]
import * as sluice from '../src/index.ts';

const [rows = 100_000, seeds = 20] = process.argv.slice(2).map(Number);
const [features, delta, loss] = [10, 1e-6, sluice.pseudoHuber(0.2)];
const each = { least: -1 / Math.sqrt(features), most: 1 / Math.sqrt(features) };
const bounds = { intervals: Array.from({ length: features }, () => each) };
const target = { least: -1000, most: 1000 };
const scaling = sluice.scalingOf({ features, bounds, target, intercept: false, scalesTarget: false });

console.log('epsilon  full batch, exact  fresh chunks, parallel  the paper');
for (const [epsilon, full, fresh] of [
  [0.9, { steps: 20, momentum: 0.5, stepSize: 3 }, { steps: 15, momentum: 0.5, stepSize: 3 }],
  [0.1, { steps: 12, momentum: 0.5, stepSize: 3 }, { steps: 6, momentum: 0.3, stepSize: 8 }],
] as const) {
  const common = { rows, loss, scaling, epsilon, delta };
  const plans = [
    sluice.planPrivate({ ...common, ...full, mode: 'full' }),
    sluice.planPrivate({ ...common, ...fresh, mode: 'fresh' }),
  ];
  const constants = { lipschitz: 0.2, smoothness: 1 / 30, failureProbability: 0.1 };
  const prescribed = sluice.theorems.privHtGdSmooth({ ...common, ...constants });
  const theorem = sluice.planTheorem(prescribed, { rows, features, loss });
  const errors: number[][] = [[], [], []];
  for (let seed = 0; seed < seeds; seed++) {
    const { batch, truth } = sluice.synthetic.plot3(rows, seed);
    const noise = (name: string) => sluice.seeded(seed, name);
    for (const [k, plan] of plans.entries()) {
      const run = await sluice.fitPrivate(sluice.samplesOf(batch), plan, { random: noise(`plan ${k}`) });
      errors[k]!.push(sluice.distance(run.theta, truth));
    }
    const paper = sluice.descendArrays(batch, theorem, sluice.simulatedGaussian(noise('paper')));
    errors[2]!.push(sluice.distance(paper.at(-1)!.theta, truth));
  }
  const [one, two, three] = errors.map(found => found.sort((a, b) => a - b)[seeds >> 1]!.toFixed(3));
  console.log(`${String(epsilon).padEnd(7)}  ${one!.padEnd(17)}  ${two!.padEnd(22)}  ${three}`);
}
