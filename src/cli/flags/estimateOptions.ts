/** Translates the flags of `fit` and `plan` into options of `estimate`, and refuses those that do not agree; reads no data. */

import { ArgumentError, type EstimateOptions } from '../../index.ts';
import type { Momentum } from '../../method/index.ts';
import type { Aggregate } from '../../plan/index.ts';
import type { FitFlags } from './fitFlags.ts';
import {
  levels,
  namedLoss,
  names,
  nonNegative,
  number,
  optional,
  positive,
  present,
  probability,
  wholeNumber,
  withParameter,
} from './parse.ts';

export function estimateOptions(flags: FitFlags): EstimateOptions {
  const shared = sharedOptions(flags);
  const aggregate = aggregateOf(flags.aggregate ?? 'auto');
  if (flags.blocks !== undefined && typeof aggregate !== 'string')
    throw new ArgumentError(
      `--blocks goes with --aggregate median-of-means, mean or auto, got ${flags.aggregate}`,
      'ERR_CONFLICT',
      { arguments: ['--blocks', '--aggregate'] },
    );
  return present({
    ...shared,
    // A schedule sets the sizes of fresh chunks, so giving one asks for those.
    mode: flags.schedule === undefined ? flags.mode : ('fresh' as const),
    aggregate,
    weights: flags.weights,
    nulls: flags.nulls,
    loss: flags.loss === 'auto' ? ('auto' as const) : namedLoss(flags.loss),
    set: setOf(flags),
    holdout: optional('--holdout', flags.holdout, number),
  });
}

/** The options that private runs have too. */
export function sharedOptions(flags: FitFlags) {
  requireNames(flags);
  requireMethod(flags);
  const { order, orderSeed, mode, schedule } = flags;
  if (order === 'as-is' && orderSeed !== undefined)
    throw new ArgumentError(
      `--order-seed ${orderSeed} is the seed of the shuffle, but --order as-is does not shuffle; leave one of them out`,
      'ERR_CONFLICT',
      { arguments: ['--order-seed', '--order'] },
    );
  if (schedule !== undefined && mode === 'full')
    throw new ArgumentError(
      `--schedule ${schedule} sets the sizes of fresh chunks, but --mode full has none; leave one of them out`,
      'ERR_CONFLICT',
      { arguments: ['--schedule', '--mode'] },
    );
  return present({
    target: flags.target,
    features: optional('--features', flags.features, names),
    categorical: levels(flags.categorical ?? []),
    intercept: flags.intercept,
    rows: optional('--rows', flags.rows, wholeNumber),
    method: flags.method,
    mode,
    schedule,
    failureProbability: probability('--failure', flags.failure),
    penalty: optional('--ridge', flags.ridge, nonNegative),
    stepSize: optional('--step', flags.step, positive),
    momentum: optional('--momentum', flags.momentum, momentumOf),
    steps: optional('--steps', flags.steps, wholeNumber),
    blocks: optional('--blocks', flags.blocks, wholeNumber),
    order,
    orderSeed,
    scratch: flags.scratch,
    checkpoint: flags.checkpoint,
    threads: optional('--threads', flags.threads, threadCount),
  });
}

/** The library refuses more too, but only after it has opened the rows. */
const MOST_THREADS = 64;

function threadCount(flag: string, text: string): number {
  const count = wholeNumber(flag, text);
  if (count <= MOST_THREADS) return count;
  throw new ArgumentError(`${flag} must be at most ${MOST_THREADS}, got ${text}`, 'ERR_ARGUMENT', {
    argument: flag,
    value: text,
  });
}

function aggregateOf(text: string): Aggregate | 'auto' {
  const { name, parameter } = withParameter(text);
  if (name === 'huber') return { huber: parameter === undefined ? 0.1 : contamination(parameter) };
  if ((name === 'mean' || name === 'median-of-means' || name === 'auto') && parameter === undefined) return name;
  throw new ArgumentError(
    `--aggregate must be auto, median-of-means, mean or huber[:contamination], got ${JSON.stringify(text)}`,
    'ERR_ARGUMENT',
    { argument: '--aggregate', value: text },
  );
}

function contamination(text: string): number {
  const share = nonNegative('--aggregate huber:contamination', text);
  if (share < 0.5) return share;
  throw new ArgumentError(
    `--aggregate huber:contamination must be below 0.5, got ${JSON.stringify(text)}`,
    'ERR_ARGUMENT',
    { argument: '--aggregate', value: text },
  );
}

function setOf({ set, radius }: FitFlags): EstimateOptions['set'] {
  const size = optional('--radius', radius, positive);
  if (set === 'none') {
    if (size !== undefined)
      throw new ArgumentError('--radius goes with --set l2, l1 or box, got --set none', 'ERR_CONFLICT', {
        arguments: ['--radius', '--set'],
      });
    return undefined;
  }
  if (size === undefined)
    throw new ArgumentError(`--set ${set} needs --radius`, 'ERR_CONFLICT', { arguments: ['--set', '--radius'] });
  return { kind: set, radius: size };
}

/** What methods need or do not take. By default, a private run without a set has momentum. */
function requireMethod({ method, set, intercept, step, momentum, epsilon }: FitFlags): void {
  const refuse = (problem: string): never => {
    throw new ArgumentError(`--method ${method} ${problem}`, 'ERR_CONFLICT', {
      arguments: ['--method'],
      value: method,
    });
  };
  if (method === 'nesterov' && set !== 'none') refuse(`works over all of R^p; leave --set ${set} out`);
  if (momentum !== undefined && method !== 'nesterov') {
    if (epsilon === undefined || method !== 'auto')
      refuse('has no momentum; give --method nesterov, or leave --momentum out');
    if (set !== 'none')
      throw new ArgumentError(
        `--set ${set} takes steps without momentum; leave --momentum ${momentum} out, or bound gradients by --clip C instead of a set`,
        'ERR_CONFLICT',
        { arguments: ['--set', '--momentum'] },
      );
  }
  if (!method.endsWith('frank-wolfe')) return;
  if (set === 'none') refuse('needs a bounded set; give --set l2 --radius D');
  if (intercept) refuse('has no free coordinate; give --no-intercept');
  if (method === 'accelerated-frank-wolfe' && step === undefined) refuse('needs a constant step; give --step');
  if (method === 'frank-wolfe' && step !== undefined)
    refuse(`fixes its step sizes, 2/(t + 2); leave --step ${step} out, or give --method accelerated-frank-wolfe`);
}

const momentumOf = (flag: string, text: string): Momentum => {
  if (text === 'increasing') return text;
  const value = nonNegative(flag, text);
  if (value < 1) return value;
  throw new ArgumentError(`${flag} must be below 1, or 'increasing', got ${JSON.stringify(text)}`, 'ERR_ARGUMENT', {
    argument: flag,
    value: text,
  });
};

/** Refuses columns with conflicting roles. It uses the flags alone, because `plan` has no data to look at. */
export function requireNames(flags: Pick<FitFlags, 'target' | 'weights' | 'unit' | 'features' | 'categorical'>): void {
  const { target, weights, unit } = flags;
  const features = optional('--features', flags.features, names) ?? [];
  const refuse = (flag: string, name: string, problem: string): never => {
    throw new ArgumentError(`${flag} names ${JSON.stringify(name)}, which ${problem}`, 'ERR_CONFLICT', {
      arguments: [flag],
      column: name,
    });
  };
  const repeated = features.find((name, k) => features.indexOf(name) < k);
  if (repeated !== undefined) refuse('--features', repeated, 'is listed twice; leave one out');
  if (features.includes(target))
    refuse('--features', target, 'is the target and cannot be a feature too; leave it out');
  for (const [flag, name, use] of [
    ['--weights', weights, 'hold the weights'],
    ['--unit', unit, 'identify units'],
  ] as const) {
    if (name === undefined || (name !== target && !features.includes(name))) continue;
    const other = name === target ? 'the target' : 'a feature';
    refuse(flag, name, `is ${other}, and cannot ${use} too; name another column`);
  }
  if (features.length === 0) return;
  const idle = Object.keys(levels(flags.categorical ?? [])).find(
    name => name !== target && name !== weights && !features.includes(name),
  );
  if (idle !== undefined)
    refuse('--categorical', idle, `is not a feature; add it to --features, or leave --categorical ${idle}=… out`);
}

/** Every level is a feature, so --width alone does not say whether it includes them. */
export function refuseLevelsBesideWidth({ width, features, categorical = [], target }: FitFlags): void {
  if (width === undefined || features !== undefined) return;
  const [column] = Object.keys(levels(categorical)).filter(name => name !== target);
  if (column === undefined) return;
  throw new ArgumentError(
    `--width ${width} does not say whether the levels of ${column} are among the features; name all with --features, or count each level in --width and leave --categorical out`,
    'ERR_CONFLICT',
    { arguments: ['--width', '--categorical'] },
  );
}

export function refuseHoldout({ holdout }: FitFlags, kind: string): void {
  if (holdout === undefined) return;
  throw new ArgumentError(
    `--holdout does not go with ${kind}; keep test rows in another file, and give them to sluice evaluate`,
    'ERR_CONFLICT',
    { arguments: ['--holdout'] },
  );
}

/** The value of --width, or the number of named features, each level counting as one. */
export function featureCount(
  flags: FitFlags,
  { features, categorical = {} }: Pick<EstimateOptions, 'features' | 'categorical'>,
): number {
  refuseLevelsBesideWidth(flags);
  const asked = optional('--width', flags.width, wholeNumber);
  const levels = new Map(Object.entries(categorical));
  const named = features?.reduce((sum, name) => sum + (levels.get(name)?.length ?? 1), 0);
  if (asked !== undefined && named !== undefined && asked !== named) {
    throw new ArgumentError(
      `--width must be ${named}, the number of features that --features names, got ${asked}; leave one of them out`,
      'ERR_CONFLICT',
      { arguments: ['--width', '--features'] },
    );
  }
  const found = asked ?? named;
  if (found !== undefined) return found;
  throw new ArgumentError(
    'plan reads no data; give --width P, the number of features, or --features a,b,c',
    'ERR_ARGUMENT',
    { argument: '--width' },
  );
}
