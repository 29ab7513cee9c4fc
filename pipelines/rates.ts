// Five theorems without a simulation in the paper, run as they prescribe: private accelerated Frank-Wolfe on logistic rows of the unit circle, eps = 0.9,
// delta = 1/3, and gradient descent with medians of means for ridge. Prints the log of what each bounds: excess risk, or distance along the rows' axes.
import { lastValueFrom } from 'rxjs';
import * as flow from '../src/flow/index.ts';
import * as sluice from '../src/index.ts';
import * as paper from '../src/lab/paper/index.ts';
import * as methods from '../src/method/index.ts';
import * as theorems from '../src/plan/theorem/index.ts';
import * as privacy from '../src/privacy/index.ts';

const { planTheorem } = theorems;
const { filled } = methods;
const { logistic, squared } = sluice;
const seeds = Number(process.argv[2] ?? 3);
const bounds = { loss: logistic(), targetBound: 1 };
const circle = { featureNorm: 1, truthNorm: Math.SQRT2, smallestEigenvalue: 1 / 2 };
const [radius, whole, flat] = [1 / 10, filled(10, 1), filled(10, 0).fill(1, 0, 3)];

const runs: paper.Point[][] = [];
for (let seed = 0; seed < seeds; seed++) {
  const points: paper.Point[] = [];
  for (const rows of [8000, 16_000]) {
    const glm = { rows, ...bounds, ...circle, epsilon: 0.9, delta: 1 / 3 };
    const [zeta, penalty] = [{ rows, failureProbability: 1 / 5 }, 2 * rows ** (-1 / 5)];
    const sphere = { ...paper.logisticSphere(rows, seed), loss: logistic(), axes: 2 };
    const plot7 = { ...paper.synthetic.plot7(rows, seed), loss: squared(), axes: 10 };
    const plot6 = { ...paper.synthetic.plot6(rows, seed), loss: squared(), axes: 3 };
    const excess = paper.logisticExcess(sphere.batch, radius);
    for (const [given, { batch, truth, loss, axes }] of [
      [theorems.iterRateIncC({ ...glm, ...zeta, features: 2, largestEigenvalue: 1 / 2 }), sphere],
      [theorems.ermGlmUp({ ...glm, radius }), sphere],
      [theorems.ermGlmUpGeneral({ ...glm, ...zeta, radius }), sphere],
      [theorems.htRidgeWellConditioned({ ...zeta, eigenvalues: whole, truth: plot7.truth }), plot7],
      [theorems.htRidgeSingular({ ...zeta, penalty, eigenvalues: flat, truth: plot6.truth }), plot6],
    ] as const) {
      const plan = planTheorem(given, { rows, features: truth.length, loss });
      const noise = privacy.simulatedGaussian(sluice.seeded(seed, `rates, ${given.theorem}, ${rows}, 0`));
      const { theta } = await lastValueFrom(paper.iteratesOf(plan, flow.samplesOf(batch), noise));
      const away = methods.distance(theta.subarray(0, axes), truth.subarray(0, axes));
      const value = Math.log(given.claim.quantity === 'risk' ? excess(theta) : away);
      points.push({ reading: 'primary', series: `${given.theorem} measured`, x: rows, value });
    }
  }
  runs.push(points);
}
console.log(paper.cellTable(runs, { series: 'theorem', x: 'rows', value: 'the log of what it bounds' }));
