/**
 * The runs behind the paper's figures ("Simulation Details"), by its theorems, for seeds 0, 1, ...: errors by series and n, or t.
 * Figures 3 and 5 split their rows; the others compute every gradient from all rows.
 */
import { descendArrays } from '../../src/flow/descendArrays.ts';
import { pseudoHuber } from '../../src/loss/pseudoHuber.ts';
import { squared } from '../../src/loss/squared.ts';
import { distance, dot, filled, norm, type Vector, zeros } from '../../src/math/vector.ts';
import { planFit } from '../../src/plan/planFit.ts';
import { planTheorem } from '../../src/plan/planTheorem.ts';
import type { Prescription } from '../../src/plan/prescription.ts';
import * as theorems from '../../src/plan/theorem/theorems.ts';
import type { Mechanism } from '../../src/privacy/mechanism.ts';
import { simulatedGaussian } from '../../src/privacy/simulatedGaussian.ts';
import { seeded } from '../../src/random/seeded.ts';
import { nesterov } from '../../src/rule/nesterov.ts';
import { projectedGradient } from '../../src/rule/projectedGradient.ts';
import { rowsBetween, type SampleBatch } from '../../src/sample/sampleBatch.ts';
import * as synthetic from '../../src/source/synthetic/figures.ts';
import type { SyntheticSample } from '../../src/source/synthetic/syntheticSample.ts';
import { gathered, type Runs } from './figureVectors.ts';
import { solveBy } from './linearAlgebra.ts';

const last = (
  data: SampleBatch,
  given: Prescription,
  options: { loss?: ReturnType<typeof squared>; start?: Vector; before?: Vector } = {},
  mechanism?: Mechanism,
): Vector => {
  const problem = { rows: data.rows, features: data.columns.length, loss: squared(), ...options };
  return descendArrays(data, planTheorem(given, problem), mechanism).at(-1)!.theta;
};

/** Rows of the largest n, and of the smaller ones as its beginnings. */
function* nested(
  figure: (rows: number, seed: number) => SyntheticSample,
  sizes: readonly number[],
  seeds: number,
): Generator<{ seed: number; rows: number; data: SampleBatch; truth: Vector }> {
  for (let seed = 0; seed < seeds; seed++) {
    const { batch, truth } = figure(Math.max(...sizes), seed);
    for (const rows of sizes) yield { seed, rows, data: rowsBetween(batch, 0, rows), truth };
  }
}

/** log excess squared loss over the best point of B2(1/(4 sqrt p)). */
export function plot1(sizes: readonly number[], seeds: number): Runs {
  const runs = gathered();
  const [features, radius, delta] = [10, 1 / (4 * Math.sqrt(10)), 1 / 3];
  const lipschitz = Math.sqrt(features) + features * radius;
  for (const { seed, rows, data } of nested(synthetic.plot1, sizes, seeds)) {
    const excess = excessOverBall(data, radius);
    for (const epsilon of [0.5, 0.9]) {
      const geometry = theorems.squaredGeometry({ features, radius });
      const pairs = {
        ACCFW: theorems.upRidge({ rows, features, radius, gradientRatio: 1, epsilon, delta }),
        FW: theorems.noplConvDpFw({ rows, radius, lipschitz, ...geometry, epsilon, delta }),
      };
      for (const [name, given] of Object.entries(pairs)) {
        const series = `${name} eps=${epsilon}`;
        const noise = simulatedGaussian(seeded(seed, `plot1, ${series}, ${rows}`));
        runs.add(series, rows, Math.log(excess(last(data, given, {}, noise))));
      }
    }
  }
  return runs;
}

/** log ||theta_T - theta*||, pseudo-Huber, private, over disjoint chunks. */
export function plot3(sizes: readonly number[], seeds: number): Runs {
  const runs = gathered();
  const loss = pseudoHuber(1 / 5);
  const common = { lipschitz: 1 / 5, smoothness: 1 / 30, failureProbability: 1 / 10, delta: 1 / 3 };
  for (const { seed, rows, data, truth } of nested(synthetic.plot3, sizes, seeds)) {
    for (const epsilon of [0.1, 0.9]) {
      const noise = (series: string) => simulatedGaussian(seeded(seed, `plot3, ${series}, ${rows}`));
      const gd = theorems.privHtGdSmooth({ ...common, rows, epsilon });
      const agd = theorems.privHtAgdSmooth({ ...common, rows, epsilon });
      const twoPoints = { loss, before: zeros(10), start: filled(10, 1.1) };
      const [one, two] = [`GD eps=${epsilon}`, `AGD eps=${epsilon}`];
      runs.add(one, rows, Math.log(distance(last(data, gd, { loss }, noise(one)), truth)));
      runs.add(two, rows, Math.log(distance(last(data, agd, twoPoints, noise(two)), truth)));
    }
  }
  return runs;
}

/** log ||theta_t - theta*|| at the given t of T = 20, G_MOM over all rows; the x of a series of size n is t. */
export function plot4(sizes: readonly number[], times: readonly number[], seeds: number): Runs {
  const runs = gathered();
  const [upper, lower] = [1, 2 / 3];
  const momentum = (Math.sqrt(upper) - Math.sqrt(lower)) / (Math.sqrt(upper) + Math.sqrt(lower));
  for (const { rows, data, truth } of nested(synthetic.plot4, sizes, seeds)) {
    const common = {
      rows,
      features: 100,
      loss: squared(),
      mode: 'full',
      steps: 20,
      failureProbability: 0.1,
    } as const;
    const gd = planFit({ ...common, rule: projectedGradient({ stepSize: 2 / (upper + lower) }) });
    const agd = planFit({ ...common, rule: nesterov({ stepSize: 1 / upper, momentum }) });
    const errors = (plan: typeof gd) =>
      descendArrays(data, plan).map(({ theta }) => Math.log(distance(theta, truth)));
    const [plain, accelerated] = [errors(gd), errors(agd)];
    for (const t of times) {
      runs.add(`GD n=${rows}`, t, plain[t]!);
      // theta_0 and theta_1 are given: theta_t comes after t - 1 gradients.
      runs.add(`AGD n=${rows}`, t, accelerated[Math.max(0, t - 1)]!);
    }
  }
  return runs;
}

/** log ||theta_T - theta*||, G_MOM over disjoint chunks; C1 = 0.05 is small enough for both theorems at n = 2,000. */
export function plot5(sizes: readonly number[], seeds: number): Runs {
  const runs = gathered();
  for (const { rows, data, truth } of nested(synthetic.plot5, sizes, seeds)) {
    const problem = {
      rows,
      features: 100,
      failureProbability: 1 / 10,
      smoothness: 1,
      strongConvexity: 2 / 3,
      concentration: 0.05,
    };
    for (const [series, theorem] of [
      ['GD', theorems.glmHtGd],
      ['AGD', theorems.htAgd],
    ] as const) {
      runs.add(series, rows, Math.log(distance(last(data, theorem(problem)), truth)));
    }
  }
  return runs;
}

/** ||theta_T - theta*||, ridge with a covariance of rank m, G_MOM over all rows. */
export function plot6(ranks: readonly number[], sizes: readonly number[], seeds: number): Runs {
  const runs = gathered();
  for (const rank of ranks) {
    const figure = (rows: number, seed: number) => synthetic.plot6(rows, seed, { rank });
    const eigenvalues = new Float64Array(10).fill(1, 0, rank);
    for (const { rows, data, truth } of nested(figure, sizes, seeds)) {
      const problem = { rows, failureProbability: 1 / 10, mode: 'full', eigenvalues, truth } as const;
      runs.add(`ACCFW m=${rank}`, rows, distance(last(data, theorems.accFwLambdaZero(problem)), truth));
      runs.add(
        `FW m=${rank}`,
        rows,
        distance(last(data, theorems.nonAccLambdaZero({ ...problem, radius: 1 })), truth),
      );
    }
  }
  return runs;
}

/** log ||theta_T - theta*||, squared loss, Sigma = I, G_MOM over all rows. */
export function plot7(sizes: readonly number[], seeds: number): Runs {
  const runs = gathered();
  for (const { rows, data, truth } of nested(synthetic.plot7, sizes, seeds)) {
    const truthNorm = norm(truth);
    const common = { rows, failureProbability: 1 / 10, mode: 'full', truthNorm } as const;
    const accelerated = theorems.accFwRob({
      ...common,
      smallestEigenvalue: 1,
      largestEigenvalue: 1,
      gap: 1 / 2,
    });
    const plain = theorems.htNonAccFw({ ...common, radius: truthNorm });
    runs.add('ACCFW', rows, Math.log(distance(last(data, accelerated), truth)));
    runs.add('FW', rows, Math.log(distance(last(data, plain), truth)));
  }
  return runs;
}

/** Half the mean squared error, less that of the best point of B2(radius), which lies on its sphere. */
function excessOverBall({ rows, columns, target }: SampleBatch, radius: number): (theta: Vector) => number {
  const gram = columns.map(a => Float64Array.from(columns, b => dot(a, b) / rows));
  const moment = Float64Array.from(columns, column => dot(column, target) / rows);
  const risk = (theta: Vector) =>
    (dot(target, target) / rows +
      dot(
        theta,
        Float64Array.from(gram, row => dot(row, theta)),
      )) /
      2 -
    dot(moment, theta);
  const ridge = (gamma: number) =>
    solveBy(
      gram.map((row, i) => row.map((value, j) => value + (i === j ? gamma : 0))),
      moment,
    );
  let [low, high] = [0, 1e4];
  for (let halving = 0; halving < 100; halving++) {
    const middle = (low + high) / 2;
    if (norm(ridge(middle)) > radius) low = middle;
    else high = middle;
  }
  const least = risk(ridge(high));
  return theta => risk(theta) - least;
}
