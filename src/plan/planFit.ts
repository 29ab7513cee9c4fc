import {
  ArgumentError,
  refuse,
  requireChoice,
  requireInteger,
  requireKnown,
  requireMembers,
  requirePositive,
  requireProbability,
  requireVector,
} from '../errors.ts';
import { type Vector, zeros } from '../math/vector.ts';
import type { Aggregator } from '../method/aggregate/aggregator.ts';
import { blockCount, blockLayout } from '../method/aggregate/blockCount.ts';
import { geometricMedian } from '../method/aggregate/geometricMedian.ts';
import { mean } from '../method/aggregate/mean.ts';
import type { Loss } from '../method/loss/loss.ts';
import type { UpdateRule } from '../method/rule/updateRule.ts';
import { gaussianNoise, meanSensitivity } from '../privacy/gaussianNoise.ts';
import { composedNoise, frankWolfeNoise } from '../privacy/paperNoise.ts';
import { counted } from '../words.ts';
import { type Calibration, type Estimation, type Plan, type PrivacyTarget, rowsUsed, type StepPlan } from './plan.ts';
import { type Schedule, uniformChunks } from './schedule.ts';

/**
 * How the gradients of a chunk become one: by a mean, the median of block means, the estimator for a share `huber` of
 * contaminated rows, or an aggregator of one's own.
 */
export type Aggregate = 'mean' | 'median-of-means' | { readonly huber: number } | Aggregator;

/** Everything that fixes a plan made by hand. */
export interface FitOptions {
  /** Rows of the whole run. */
  readonly rows: number;
  /** The number of features, without an intercept. */
  readonly features: number;
  /** Whether theta has an additional last coordinate for a constant; false unless given. */
  readonly intercept?: boolean;
  /** The loss whose risk is minimised. */
  readonly loss: Loss;
  /** What turns gradients into steps. */
  readonly rule: UpdateRule;
  /** Where the first step begins; at 0 unless given. */
  readonly start?: Vector;
  /** `fresh`: every row in at most one step; `full`: every step over all rows. */
  readonly mode?: Plan['mode'];
  /** The number of steps. */
  readonly steps: number;
  /** Chunk sizes in fresh mode: uniform unless given. */
  readonly schedule?: Pick<Schedule, 'chunks'>;
  /** `median-of-means` unless given. */
  readonly aggregate?: Aggregate;
  /** zeta of the whole run; each of T steps may fail with probability zeta/T. */
  readonly failureProbability?: number;
  /** Blocks of the median of means; b(zeta/T) unless given. */
  readonly blocks?: number;
  /** Makes the plan private: (epsilon, delta), for gradients of rows of norm at most `lipschitz`. */
  readonly privacy?: {
    readonly epsilon: number;
    readonly delta: number;
    readonly lipschitz: number;
    readonly calibration?: Calibration;
  };
}

/**
 * Turns a user's request into a frozen Plan, or refuses what could not work or would not be private.
 *
 * @example
 * const rule = nesterov({ stepSize: 0.1, momentum: 'increasing' });
 * const plan = planFit({ rows: 1000, features: 3, loss: pseudoHuber(1), rule, steps: 4 });
 * plan.steps.map(({ rows }) => rows); // [250, 250, 250, 250]
 */
export function planFit(options: FitOptions): Plan {
  requireKnown(
    options,
    'aggregate blocks failureProbability features intercept loss mode privacy rows rule schedule start steps',
  );
  requireMembers('loss', 'be a loss, such as `squared()`', options.loss, 'name slope');
  requireMembers('rule', 'be a rule, such as `nesterov(…)`', options.rule, 'init step');
  const { mode = 'fresh', aggregate = 'median-of-means', steps, rule, privacy } = options;
  if (privacy === undefined) return assemblePlan(options, null);
  const target = privacyTarget(privacy, mode, aggregate);
  return assemblePlan(options, { target, sigma: once(rows => calibratedNoise(target, rows, steps, rule)) });
}

/** Solving for the noise takes longer than a small step, and most steps have the same number of rows. */
function once(sigma: Noise['sigma']): Noise['sigma'] {
  const known = new Map<number, number>();
  return rows => {
    const found = known.get(rows) ?? sigma(rows);
    known.set(rows, found);
    return found;
  };
}

/** The noise of a private plan, as a function of the rows behind one mean. */
export interface Noise {
  readonly target: PrivacyTarget;
  readonly sigma: (rowsPerBlock: number) => number;
  /** How many rows of a mean may change at once; 1 unless given. */
  readonly group?: number;
}

/** The plan once its noise is known. */
export function assemblePlan(
  {
    rows,
    features,
    intercept = false,
    loss,
    rule,
    start: givenStart,
    mode = 'fresh',
    steps,
    schedule,
    aggregate = 'median-of-means',
    failureProbability = 0.05,
    blocks,
  }: FitOptions,
  noise: Noise | null,
): Plan {
  requireInteger('rows', rows, 1);
  requireInteger('features', features, 1);
  requireInteger('steps', steps, 1);
  requireChoice('mode', mode, ['full', 'fresh']);
  const size = intercept ? features + 1 : features;
  const start = requireVector('start', givenStart ?? zeros(size), size).slice();
  requireProbability('failureProbability', failureProbability);
  const perStep = failureProbability / steps;
  requireInteger('blocks', blocks ?? 1, 1);
  const wanted = aggregate === 'median-of-means' || isAggregator(aggregate) ? (blocks ?? blockCount(perStep)) : 1;
  const estimation = estimationOf(aggregate, perStep);
  // Noise depends on the rows of a block, so chunk sizes are those that blocks fill.
  const countsRest =
    mode === 'full' && noise === null && estimation.kind === 'blocks' && !!estimation.aggregator.countsRest;
  const planned = chunkSizes(rows, steps, mode, schedule).map((size, t) =>
    planStep(mode === 'full' ? 'all' : t, size, wanted, noise, countsRest),
  );
  const used = planned.map(rowsUsed);
  return Object.freeze({
    rows,
    features,
    intercept,
    loss,
    rule,
    start,
    mode,
    estimation,
    steps: Object.freeze(planned),
    leftOver: rows - (mode === 'full' ? used[0]! : used.reduce((sum, count) => sum + count, 0)),
    privacy: noise?.target ?? null,
  });
}

function chunkSizes(
  rows: number,
  steps: number,
  mode: Plan['mode'],
  schedule: FitOptions['schedule'],
): readonly number[] {
  if (mode === 'full') {
    if (schedule !== undefined) {
      refuse('schedule', 'be absent in full mode, where every step sees all rows', schedule.chunks);
    }
    return Array.from({ length: steps }, () => rows);
  }
  const { chunks } = schedule ?? uniformChunks({ rows, steps });
  if (chunks.length !== steps) refuse('schedule', `have ${counted(steps, 'chunk')}, one per step`, chunks.length);
  const total = chunks.reduce((sum, size) => sum + requireInteger('schedule.chunks', size, 1), 0);
  if (total > rows) refuse('schedule', `use at most ${counted(rows, 'row')}`, total, 'a row may enter one chunk only');
  return chunks;
}

function planStep(
  chunk: StepPlan['chunk'],
  rows: number,
  blocks: number,
  noise: Noise | null,
  countsRest: boolean,
): StepPlan {
  if (blocks > 1 && 2 * blocks > rows) {
    refuse(
      `the rows of step ${chunk}`,
      `be at least 2b = ${2 * blocks}`,
      rows,
      'use more rows, fewer steps, fewer blocks or a larger failureProbability',
    );
  }
  const { rowsPerBlock, leftOver } = blockLayout(rows, blocks);
  const release =
    noise &&
    Object.freeze({
      chunk,
      sensitivity: (noise.group ?? 1) * meanSensitivity(noise.target.lipschitz, rowsPerBlock),
      sigma: noise.sigma(rowsPerBlock),
    });
  return Object.freeze({
    chunk,
    rows,
    blocks,
    rowsPerBlock,
    ...(countsRest && leftOver > 0 && { rest: leftOver }),
    release,
  });
}

/** A record enters one block of every step in full mode, and one block of one step in fresh mode. */
function calibratedNoise(
  { calibration, ...target }: PrivacyTarget,
  rows: number,
  steps: number,
  rule: UpdateRule,
): number {
  if (calibration === 'exact') return gaussianNoise({ ...target, rows, touches: steps });
  if (calibration === 'parallel') return gaussianNoise({ ...target, rows, touches: 1 });
  return (rule.name === 'frank-wolfe' ? frankWolfeNoise : composedNoise)({ ...target, rows, steps });
}

function privacyTarget(
  { epsilon, delta, lipschitz, calibration: given }: NonNullable<FitOptions['privacy']>,
  mode: Plan['mode'],
  aggregate: Aggregate,
): PrivacyTarget {
  requirePositive('epsilon', epsilon);
  requireProbability('delta', delta);
  if (!(lipschitz > 0 && lipschitz < Infinity)) {
    refuse(
      'lipschitz',
      'be a finite number above 0',
      lipschitz,
      'declare bounds on the rows, a radius, or clip gradients',
    );
  }
  const calibration = given ?? (mode === 'full' ? 'exact' : 'parallel');
  requireChoice('calibration', calibration, ['exact', 'parallel', 'paper']);
  if (calibration === 'parallel' && mode === 'full') {
    refuse(
      'mode',
      'be "fresh" for `calibration: \'parallel\'`, which relies on disjoint chunks',
      mode,
      "use `calibration: 'exact'`",
    );
  }
  if (calibration === 'exact' && mode === 'fresh') {
    refuse(
      'mode',
      'be "full" for `calibration: \'exact\'`',
      mode,
      "use `calibration: 'parallel'`, which needs less noise there",
    );
  }
  // Noise is added to block means, so whatever an aggregator computes from them is post-processing.
  if (typeof aggregate === 'object' && !isAggregator(aggregate)) {
    throw new ArgumentError(
      "the Huber estimator as `aggregate` has unbounded sensitivity to one record and cannot be private; use `aggregate: 'mean'` or `aggregate: 'median-of-means'`",
      'ERR_NOT_PRIVATE',
      { argument: 'aggregate' },
    );
  }
  if (calibration === 'paper' && aggregate !== 'mean') {
    refuse(
      'aggregate',
      'be "mean" for `calibration: \'paper\'`',
      isAggregator(aggregate) ? aggregate.name : aggregate,
      "use `calibration: 'parallel'` or `calibration: 'exact'`",
    );
  }
  return Object.freeze({ calibration, epsilon, delta, lipschitz });
}

/** How the rows of a step are combined; refuses what cannot be. */
export function estimationOf(aggregate: Aggregate, failureProbability: number): Estimation {
  if (typeof aggregate !== 'object') {
    const isMean = requireChoice('aggregate', aggregate, ['mean', 'median-of-means']) === 'mean';
    return Object.freeze({ kind: 'blocks', aggregator: isMean ? mean() : geometricMedian() });
  }
  if (isAggregator(aggregate)) return Object.freeze({ kind: 'blocks', aggregator: aggregate });
  const contamination = aggregate.huber;
  if (!(contamination >= 0 && contamination < 0.5)) {
    refuse('aggregate.huber', 'be in [0, 0.5)', contamination);
  }
  return Object.freeze({ kind: 'huber', contamination, failureProbability });
}

const isAggregator = (aggregate: Aggregate): aggregate is Aggregator =>
  typeof aggregate === 'object' && 'aggregate' in aggregate;
