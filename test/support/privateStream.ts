/** Simulated rows of a private stream, and runs over them through the product's own sums, noise and rule. */
import { releaseSummer } from '../../src/engine/kernel/releaseSummer.ts';
import { normal } from '../../src/math/random/normal.ts';
import { type Random, uniform } from '../../src/math/random/random.ts';
import { studentT } from '../../src/math/random/studentT.ts';
import type { Vector } from '../../src/math/vector.ts';
import { mean } from '../../src/method/aggregate/mean.ts';
import type { PooledState } from '../../src/method/rule/pooled.ts';
import type { PrivateOnlinePlan } from '../../src/plan/online/planPrivateOnline.ts';
import { discreteGaussianMechanism } from '../../src/privacy/discreteGaussianMechanism.ts';
import type { SampleBatch } from '../../src/sample/sampleBatch.ts';

/** Writes the next row, in scaled units, and returns its target. */
export type RowDraw = (x: Float64Array) => number;

/** Runs `chunks` releases of a plan; `see` gets every state and the rows read so far. */
export function simulatePrivate(
  plan: PrivateOnlinePlan,
  draw: RowDraw,
  random: Random,
  see: (state: PooledState, rows: number) => boolean,
): PooledState {
  const { features, rule, noise, steps } = plan;
  const mechanism = discreteGaussianMechanism(noise, random);
  let state = rule.init(plan.start);
  let rows = 0;
  const most = 4096;
  const columns = Array.from({ length: features }, () => new Float64Array(most));
  const target = new Float64Array(most);
  const x = new Float64Array(features);
  for (let t = 0; ; t++) {
    const step = steps.at(t)!;
    const summer = releaseSummer({
      question: rule.question(state),
      features,
      rows: step.rows,
      squaredNorm: noise.squaredNorm,
    });
    for (let left = step.rows; left > 0; left -= most) {
      const count = Math.min(most, left);
      for (let i = 0; i < count; i++) {
        target[i] = draw(x);
        for (let j = 0; j < features; j++) columns[j]![i] = x[j]!;
      }
      summer.add({ rows: count, columns, target } satisfies SampleBatch);
    }
    rows += step.rows;
    state = rule.step(state, mean().aggregate(mechanism.perturb(summer.finish(), step.release!)));
    if (!see(state, rows)) return state;
  }
}

/** Equicorrelated normal features of a third of their bounds, held to them, about a centre. */
export function correlated(
  random: Random,
  features: number,
  rho: number,
  { spread = 1 / 3, centre = 0 }: { readonly spread?: number; readonly centre?: number } = {},
): (x: Float64Array) => void {
  const [shared, own] = [Math.sqrt(rho), Math.sqrt(1 - rho)];
  return x => {
    const common = shared * normal(random);
    for (let j = 0; j < features; j++)
      x[j] = Math.max(-1, Math.min(1, centre + spread * (common + own * normal(random))));
  };
}

export type Noise = (random: Random) => number;
export const normalNoise: Noise = normal;
export const t3Noise: Noise = random => studentT(random, 3);

/** y = x.slopes + .1 + scale * noise, held to [-1, 1]. */
export function linearRows(
  random: Random,
  features: (x: Float64Array) => void,
  slopes: Vector,
  scale: number,
  noise: Noise,
): RowDraw {
  return x => {
    features(x);
    return Math.max(-1, Math.min(1, scoreOf(x, slopes) + scale * noise(random)));
  };
}

/** slopes, then an intercept. */
export function scoreOf(x: Float64Array, theta: Vector): number {
  let score = theta[x.length] ?? 0;
  for (let j = 0; j < x.length; j++) score += x[j]! * theta[j]!;
  return score;
}

export const logisticRows =
  (random: Random, features: (x: Float64Array) => void, theta: Vector): RowDraw =>
  x => {
    features(x);
    return uniform(random) < 1 / (1 + Math.exp(-scoreOf(x, theta))) ? 1 : 0;
  };

/** Counts, held to `most`. */
export const poissonRows =
  (random: Random, features: (x: Float64Array) => void, theta: Vector, most: number): RowDraw =>
  x => {
    features(x);
    const limit = Math.exp(-Math.exp(scoreOf(x, theta)));
    let count = 0;
    for (let product = uniform(random); product > limit; product *= uniform(random)) count++;
    return Math.min(most, count);
  };
