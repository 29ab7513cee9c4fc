/** Simulated streams, and runs over them through the product's own sums and rule, without RxJS around them. */
import { informationSummer } from '../../src/engine/kernel/informationSummer.ts';
import { riskTile } from '../../src/engine/kernel/riskTile.ts';
import { minimize } from '../../src/inference/pilot/risk/minimize.ts';
import { weightedRisk } from '../../src/inference/pilot/risk/weightedRisk.ts';
import { median } from '../../src/math/median.ts';
import { normal } from '../../src/math/random/normal.ts';
import { type Random, uniform } from '../../src/math/random/random.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { studentT } from '../../src/math/random/studentT.ts';
import { filled, type Vector } from '../../src/math/vector.ts';
import { logistic } from '../../src/method/loss/logistic.ts';
import type { Loss } from '../../src/method/loss/loss.ts';
import { poisson } from '../../src/method/loss/poisson.ts';
import { pseudoHuber } from '../../src/method/loss/pseudoHuber.ts';
import { squared } from '../../src/method/loss/squared.ts';
import type { InformationState } from '../../src/method/rule/informationState.ts';
import type { OnlinePlan } from '../../src/plan/online/planOnline.ts';
import { rowsBetween, type SampleBatch } from '../../src/sample/sampleBatch.ts';

/** Steps a plan's rule through held chunks, as `descend` does. */
export function stepper(plan: OnlinePlan): (state: InformationState, batch: SampleBatch) => InformationState {
  const { rule, features, learnsScale: withDeviation } = plan;
  const tile = riskTile(features);
  return (before, batch) => {
    let state = before;
    do {
      const summer = informationSummer({ question: rule.question(state), rows: batch.rows, tile, withDeviation });
      summer.add(batch);
      state = rule.step(state, { values: summer.finish(), privacy: 'raw' });
    } while (rule.again(state));
    return state;
  };
}

/** Runs a plan over rows in memory, chunk by chunk, as far as they fill chunks. */
export function runOver(plan: OnlinePlan, rows: SampleBatch, see?: (state: InformationState, used: number) => void) {
  const step = stepper(plan);
  let state = plan.rule.init(plan.start);
  for (let used = 0, t = 0; ; t++) {
    const size = plan.steps.at(t)!.rows;
    if (used + size > rows.rows) return state;
    state = step(state, rowsBetween(rows, used, used + size));
    used += size;
    see?.(state, used);
  }
}

export type Kind = 'squared' | 'huber' | 't3' | 'mixed' | 'skew' | 'logistic' | 'poisson';
/** Six pairs of a loss and a noise. */
export const KINDS: readonly Kind[] = ['squared', 'huber', 't3', 'mixed', 'logistic', 'poisson'];
export const lossOf = (kind: Kind): Loss | 'pseudo-huber' =>
  kind === 'squared' ? squared() : kind === 'logistic' ? logistic() : kind === 'poisson' ? poisson() : 'pseudo-huber';

export interface World {
  readonly features: number;
  readonly kind: Kind;
  readonly rho: number;
  /** Units of the features, by powers of ten from 1e-3 to 1e6; all 1 unless given. */
  readonly mixedScales?: boolean;
  /** Of the score at features that are standard normal. */
  readonly strength?: number;
}

/** Coefficients for features in units of 1, intercept last. */
export function truthOf({ features, kind, strength }: World): Vector {
  const length = strength ?? (kind === 'logistic' ? 1 : kind === 'poisson' ? 0.5 : 1);
  const theta = Float64Array.from({ length: features + 1 }, (_, j) => (j % 2 ? -1 : 1) * (1 + (j % 3)));
  const norm = Math.sqrt(theta.subarray(0, features).reduce((sum, value) => sum + value * value, 0));
  for (let j = 0; j < features; j++) theta[j]! *= length / norm;
  theta[features] = kind === 'poisson' ? 0.5 : kind === 'logistic' ? -0.5 : 2;
  return theta;
}

export const unitsOf = ({ features, mixedScales }: World): Vector =>
  Float64Array.from({ length: features }, (_, j) => (mixedScales ? 10 ** (((j * 7) % 10) - 3) : 1));

/** May change a row's features, in units of 1 about 0, and gives its target where that does not follow from them. */
export type Alter = (z: Float64Array, row: number) => number | undefined;

/** Rows of a world: equicorrelated normal features about 1, in their units. */
export function rowsOf(
  world: World,
  rows: number,
  random: Random,
  { truth = truthOf(world), alter }: { truth?: Vector; alter?: Alter } = {},
): SampleBatch {
  const { features, kind, rho } = world;
  const units = unitsOf(world);
  const columns = Array.from({ length: features }, () => new Float64Array(rows));
  const target = new Float64Array(rows);
  const z = new Float64Array(features);
  const [shared, own] = [Math.sqrt(rho), Math.sqrt(1 - rho)];
  for (let i = 0; i < rows; i++) {
    const common = shared * normal(random);
    for (let j = 0; j < features; j++) z[j] = common + own * normal(random);
    const given = alter?.(z, i);
    let score = truth[features]!;
    for (let j = 0; j < features; j++) {
      score += truth[j]! * z[j]!;
      columns[j]![i] = units[j]! * (z[j]! + 1);
    }
    target[i] = given ?? targetOf(kind, score, random);
  }
  return { rows, columns, target };
}

function targetOf(kind: Kind, score: number, random: Random): number {
  if (kind === 'logistic') return uniform(random) < 1 / (1 + Math.exp(-score)) ? 1 : 0;
  if (kind === 'poisson') {
    const limit = Math.exp(-Math.exp(Math.min(score, 6)));
    let count = 0;
    for (let product = uniform(random); product > limit; product *= uniform(random)) count++;
    return count;
  }
  if (kind === 't3') return score + studentT(random, 3);
  if (kind === 'mixed') return score + normal(random) * (uniform(random) < 0.1 ? 10 : 1);
  return score + (kind === 'skew' ? Math.exp(normal(random)) - Math.SQRT2 : normal(random));
}

/** The batch fit on all rows, with q by the deviation of its residuals where that is learnt. */
export function batchFit(kind: Kind, batch: SampleBatch): Vector {
  const weights = filled(batch.rows, 1);
  const risk = weightedRisk(batch, { intercept: true, weights });
  const given = lossOf(kind);
  const fitted = (loss: Loss, from: Vector): Vector => minimize(risk, loss, from, { intercept: true });
  let theta: Vector = new Float64Array(risk.size);
  if (given !== 'pseudo-huber') return fitted(given, theta);
  theta = fitted(squared(), theta);
  const residuals = new Float64Array(batch.rows);
  for (let round = 0, q = 0; round < 20; round++) {
    const next = (1.345 * median(risk.residuals(theta, residuals).map(Math.abs))) / 0.6745;
    if (Math.abs(next / q - 1) < 1e-3) break;
    q = next;
    theta = fitted(pseudoHuber(q), theta);
  }
  return theta;
}

/** The norm of predictions: sqrt(d'E zz'd) of coefficients in the world's units, at the centre of the features. */
export function errorOf(world: World, theta: Vector, truth: Vector): number {
  const { features, rho } = world;
  const units = unitsOf(world);
  let [squares, sum, shift] = [0, 0, theta[features]! - truth[features]!];
  for (let j = 0; j < features; j++) {
    const away = theta[j]! * units[j]! - truth[j]!;
    squares += away * away;
    sum += away;
    // Features lie about 1, and theta has coefficients of features themselves.
    shift += theta[j]! * units[j]!;
  }
  return (1 - rho) * squares + rho * sum * sum + shift * shift;
}

/** The fit that all of a kind's targets would lead to; skewed noise moves the intercept of robust losses. */
export function trueFit(world: World): Vector {
  const truth = truthOf(world);
  if (world.kind === 'skew')
    truth[world.features]! = batchFit(
      'skew',
      rowsOf({ ...world, features: 1 }, 400_000, seeded('skew', 'intercept'), {
        truth: Float64Array.of(0, truth[world.features]!),
      }),
    )[1]!;
  return truth;
}
