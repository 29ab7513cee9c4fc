/** Sluice's contenders in the benchmark: by default, by the paper's plans with true constants, and private. */

import * as engines from '../../src/engine/index.ts';
import * as fit from '../../src/fit/index.ts';
import * as sluice from '../../src/index.ts';
import * as paper from '../../src/lab/paper/index.ts';
import * as planning from '../../src/plan/index.ts';
import * as theorems from '../../src/plan/theorem/index.ts';
import * as privacy from '../../src/privacy/index.ts';
import { gather } from '../../src/sample/gather.ts';
import type { SampleBatch } from '../../src/sample/sampleBatch.ts';
import * as source from '../../src/source/index.ts';
import { DELTA, type Scenario, type Setting } from './settings.ts';

/** Half the declared widths of features and targets. */
export interface Bounds {
  readonly wide: number;
  readonly high: number;
}

/** Intervals are optional: first those of the slopes, then that of the intercept. */
export interface Found {
  readonly theta: readonly number[];
  readonly intervals?: readonly (readonly [number, number])[];
}

/** By default, without any settings, from a file to coefficients. */
export async function asItComes(path: string): Promise<Found> {
  const samples = await source.openRows(path, { target: 'y' });
  try {
    const found: fit.FittedRun & { uncertainty?: Limits | null } = await fit.fitRows(samples);
    const { uncertainty } = found;
    const intervals =
      uncertainty && Array.from(uncertainty.lower, (least, j) => [least, uncertainty.upper[j]!] as const);
    return { theta: [...found.fit.theta], ...(intervals && { intervals }) };
  } finally {
    await samples.close();
  }
}

/** Of the intervals, the intercept's last; null for a fit without a basis for them. */
interface Limits {
  readonly lower: ArrayLike<number>;
  readonly upper: ArrayLike<number>;
}

/**
 * Theorem htAGD, or where rows are spoilt Hu_eps_Nester, given the true spectrum and the true share, even where
 * conditions are unmet.
 */
export async function byTheorem(path: string, { scenario, rows }: Setting): Promise<Found> {
  const batch = await withOnes(path);
  const features = batch.columns.length;
  // The intercept's column has variance 1. Theorem AGD requires a condition number above 1.
  const variance = scenario.variance!;
  const problem = {
    rows,
    features,
    smoothness: 1.1 * Math.max(1, variance),
    strongConvexity: 0.9 * Math.min(1, variance),
    failureProbability: 0.05,
  };
  const given =
    scenario.spoilt === undefined
      ? theorems.htAgd(problem)
      : theorems.huEpsNester({ ...problem, contamination: scenario.spoilt.share });
  const despite = given.conditions.map(({ statement }) => statement);
  const plan = theorems.planTheorem(given, { rows, features, loss: sluice.squared(), despite });
  return { theta: [...paper.descendArrays(batch, plan).at(-1)!.theta] };
}

async function withOnes(path: string): Promise<SampleBatch> {
  const samples = await source.openRows(path, { target: 'y' });
  try {
    const { rows, features } = samples;
    const batch = await gather(samples.batches(), rows, features);
    return { ...batch, columns: [...batch.columns, new Float64Array(rows).fill(1)] };
  } finally {
    await samples.close();
  }
}

/** What `sluice fit --epsilon --delta --bounds` does, with seeded noise. */
export async function privately(path: string, setting: Setting, bounds: Bounds, seed: number): Promise<Found> {
  const features = Array.from({ length: setting.features }, (_, j) => `x${j}`);
  const samples = await source.openRows(path, { target: 'y', features, forPrivate: true });
  const engine = engines.localEngine();
  try {
    const plan = planOf(setting, bounds);
    const { theta, released } = await fit.fitPrivate(samples, plan, {
      random: sluice.seeded(seed, 'noise'),
      kernel: engine.integerSummer,
    });
    const { errors, reach } = fit.privateUncertainty(plan, released)!;
    const intervals = [...theta].map((value, j) => [value - reach * errors[j]!, value + reach * errors[j]!] as const);
    return { theta: [...theta], intervals };
  } finally {
    await samples.close();
    await engine.close();
  }
}

/** The same for all seeds. */
const plans = new Map<Setting, planning.PrivatePlan>();

function planOf(setting: Setting, bounds: Bounds): planning.PrivatePlan {
  const plan = plans.get(setting) ?? planning.planPrivate(privateOptions(setting, bounds));
  plans.set(setting, plan);
  return plan;
}

const isLinear = ({ kind }: Scenario): boolean => kind === 'private linear';

function privateOptions({ scenario, rows, features, epsilon }: Setting, { wide, high }: Bounds) {
  const linear = isLinear(scenario);
  const scaling = planning.scalingOf({
    features,
    bounds: { intervals: Array.from({ length: features }, () => ({ least: -wide, most: wide })) },
    target: linear ? { least: -high, most: high } : { least: 0, most: 1 },
    intercept: true,
    scalesTarget: linear,
  });
  // The command line's default: a fifth of the target's scale.
  const loss = linear ? sluice.pseudoHuber(0.2) : sluice.logistic();
  // For a million rows delta is 1/n, which a plan refuses unless told otherwise; peers accept it.
  return { rows, loss, scaling, epsilon: epsilon!, delta: DELTA, acceptLargeDelta: true };
}

/** Theorem Priv_HT_GD_Smooth with the paper's noise, on rows in units of their bounds. */
export async function privatelyByTheorem(path: string, setting: Setting, bounds: Bounds, seed: number): Promise<Found> {
  const { rows, epsilon } = setting;
  const batch = await withOnes(path);
  const features = batch.columns.length;
  const scaled: SampleBatch = {
    rows,
    columns: batch.columns.map((column, j) => column.map(x => (j < features - 1 ? x / bounds.wide : x))),
    target: batch.target.map(y => y / bounds.high),
  };
  const loss = sluice.pseudoHuber(0.2);
  // The largest eigenvalue of E x x' is the intercept's 1.
  const constants = { lipschitz: 0.2 * Math.sqrt(features), smoothness: 1, failureProbability: 0.05 };
  const given = theorems.privHtGdSmooth({ rows, epsilon: epsilon!, delta: DELTA, ...constants });
  const despite = given.conditions.map(({ statement }) => statement);
  const plan = theorems.planTheorem(given, { rows, features, loss, despite });
  const noise = privacy.simulatedGaussian(sluice.seeded(seed, 'paper'));
  const { theta } = paper.descendArrays(scaled, plan, noise).at(-1)!;
  return {
    theta: [...theta].map((value, j) => (value * bounds.high) / (j < features - 1 ? bounds.wide : 1)),
  };
}
