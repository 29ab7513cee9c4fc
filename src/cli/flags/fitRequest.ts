/** Translates the flags of `fit` or `plan` into a request and checks that they agree; reads no data. */
import {
  type Aggregate,
  ArgumentError,
  acceptedTargets,
  box,
  type Constraint,
  type EstimatedRows,
  type FitRowsOptions,
  l1Ball,
  l2Ball,
  type Momentum,
  type NamedLoss,
  type ReadOptions,
  type TargetRule,
} from '../../index.ts';
import type { FitFlags } from './fitFlags.ts';
import { namedLoss } from './lossFlag.ts';
import {
  levels,
  names,
  nonNegative,
  optional,
  positive,
  probability,
  wholeNumber,
  withParameter,
} from './parse.ts';
import { requireNames } from './requireNames.ts';

export interface FitRequest {
  readonly read: ReadOptions;
  /** What --set and --radius say; absent where coefficients are unconstrained. */
  readonly set: EstimatedRows['set'];
  /** That set, for a given number of features. */
  readonly constraint: ((features: number) => Constraint) | undefined;
  readonly estimate: FitRowsOptions & Required<Pick<FitRowsOptions, 'aggregate' | 'intercept'>>;
}

export function fitRequest(flags: FitFlags): FitRequest {
  requireNames(flags);
  requireOrderSeed(flags);
  const loss = lossOf(flags);
  const aggregate = aggregateOf(flags.aggregate ?? 'auto');
  // A mean has blocks only for its intervals, which private runs do not show.
  const meansHaveBlocks = flags.epsilon === undefined;
  const hasBlocks = meansHaveBlocks ? typeof aggregate === 'string' : aggregate === 'median-of-means';
  if (flags.blocks !== undefined && !hasBlocks) {
    throw new ArgumentError(
      `--blocks goes with --aggregate median-of-means${meansHaveBlocks ? ', mean or auto' : ' in a private run'}, got ${flags.aggregate}`,
    );
  }
  requireMethod(flags);
  requireMomentum(flags);
  if (flags.schedule !== undefined && flags.mode === 'full') {
    throw new ArgumentError(
      `--schedule ${flags.schedule} sets the sizes of fresh chunks, but --mode full has none; leave one of them out`,
    );
  }
  const set = setOf(flags);
  return {
    read: present({
      target: flags.target,
      categorical: levels(flags.categorical ?? []),
      features: optional('--features', flags.features, names),
      weights: flags.weights,
      intercept: flags.intercept,
      nulls: flags.nulls,
      targets: loss === 'auto' ? null : targetRule(loss, flags.target),
      rows: optional('--rows', flags.rows, wholeNumber),
    }),
    set,
    constraint: set && constraintOf(set),
    estimate: present({
      loss,
      aggregate,
      method: flags.method,
      mode: modeOf(flags),
      schedule: flags.schedule,
      intercept: flags.intercept,
      failureProbability: probability('--failure', flags.failure),
      penalty: optional('--ridge', flags.ridge, nonNegative),
      stepSize: optional('--step', flags.step, positive),
      momentum: optional('--momentum', flags.momentum, momentumOf),
      steps: optional('--steps', flags.steps, wholeNumber),
      blocks: optional('--blocks', flags.blocks, wholeNumber),
      order: flags.order,
      orderSeed: flags.orderSeed,
      scratch: flags.scratch,
    }),
  };
}

type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Leaves out absent values, so that defaults apply. */
const present = <T extends object>(given: T): Present<T> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Present<T>;

function lossOf({ loss }: FitFlags): NamedLoss | 'auto' {
  return loss === 'auto' ? loss : namedLoss(loss);
}

/** A schedule sets the sizes of fresh chunks, so giving one implies --mode fresh. */
export const modeOf = ({ mode, schedule }: FitFlags): FitFlags['mode'] =>
  schedule === undefined ? mode : 'fresh';

function targetRule(loss: NamedLoss, column: string): TargetRule | null {
  if (loss.name === 'logistic') {
    return {
      accepts: target => target === 0 || target === 1,
      advice: `logistic needs targets 0 and 1, true and false, or a text column with two declared levels: --categorical '${column}=no|yes'`,
    };
  }
  const rule = acceptedTargets(loss);
  return rule && { accepts: rule.accepts, advice: rule.needs };
}

function aggregateOf(text: string): Aggregate | 'auto' {
  const { name, parameter } = withParameter(text);
  if (name === 'huber') {
    return { huber: parameter === undefined ? 0.1 : contamination(parameter) };
  }
  if ((name === 'mean' || name === 'median-of-means' || name === 'auto') && parameter === undefined) {
    return name;
  }
  throw new ArgumentError(
    `--aggregate must be auto, median-of-means, mean or huber[:contamination], got ${JSON.stringify(text)}`,
  );
}

function contamination(text: string): number {
  const share = nonNegative('--aggregate huber:contamination', text);
  if (share < 0.5) return share;
  throw new ArgumentError(`--aggregate huber:contamination must be below 0.5, got ${JSON.stringify(text)}`);
}

function setOf({ set, radius }: FitFlags): FitRequest['set'] {
  const size = optional('--radius', radius, positive);
  if (set === 'none') {
    if (size !== undefined) throw new ArgumentError('--radius goes with --set l2, l1 or box, got --set none');
    return undefined;
  }
  if (size === undefined) throw new ArgumentError(`--set ${set} needs --radius`);
  return { kind: set, radius: size };
}

function constraintOf({ kind, radius }: NonNullable<FitRequest['set']>): FitRequest['constraint'] {
  if (kind === 'l2') return () => l2Ball(radius);
  if (kind === 'l1') return () => l1Ball(radius);
  return features => box(new Float64Array(features).fill(-radius), new Float64Array(features).fill(radius));
}

function requireOrderSeed({ order, orderSeed }: FitFlags): void {
  if (order !== 'as-is' || orderSeed === undefined) return;
  throw new ArgumentError(
    `--order-seed ${orderSeed} is the seed of the shuffle, but --order as-is does not shuffle; leave one of them out`,
  );
}

/** What the library would refuse in the words of its own options. */
function requireMethod({ method, set, intercept, step }: FitFlags): void {
  const refuse = (problem: string): never => {
    throw new ArgumentError(`--method ${method} ${problem}`);
  };
  if (method === 'nesterov' && set !== 'none') refuse(`works over all of R^p; leave --set ${set} out`);
  if (method !== 'frank-wolfe' && method !== 'accelerated-frank-wolfe') return;
  if (set === 'none') refuse('needs a bounded set; give --set l2 --radius D');
  if (intercept) refuse('has no free coordinate; give --no-intercept');
  if (method === 'accelerated-frank-wolfe' && step === undefined)
    refuse('needs a constant step; give --step');
  if (method === 'frank-wolfe' && step !== undefined)
    refuse(
      `fixes its step sizes, 2/(t + 2); leave --step ${step} out, or give --method accelerated-frank-wolfe`,
    );
}

/** By default, a private run without a set uses momentum. */
function requireMomentum({ method, set, momentum, epsilon }: FitFlags): void {
  if (momentum === undefined || method === 'nesterov') return;
  if (epsilon === undefined || method !== 'auto') {
    throw new ArgumentError(
      `--method ${method} has no momentum; give --method nesterov, or leave --momentum out`,
    );
  }
  if (set === 'none') return;
  throw new ArgumentError(
    `--set ${set} takes steps without momentum; leave --momentum ${momentum} out, or bound gradients by --clip C instead of a set`,
  );
}

const momentumOf = (flag: string, text: string): Momentum => {
  if (text === 'increasing') return text;
  const value = nonNegative(flag, text);
  if (value < 1) return value;
  throw new ArgumentError(`${flag} must be below 1, or 'increasing', got ${JSON.stringify(text)}`);
};
