/** What a user asked of `fit` or `plan`, read off the flags and checked for sense; no data are read here. */
import {
  type Aggregate,
  ArgumentError,
  type Constraint,
  type DesignOptions,
  type FitSettings,
  type LayoutOptions,
  l1Ball,
  l2Ball,
  lossByName,
  type Momentum,
  type NamedLoss,
  needsPilot,
  type TargetRule,
} from '../index.ts';
import type { FitFlags } from './fitFlags.ts';
import { levels, names, number, optional, wholeNumber, withParameter } from './parse.ts';

export type FitRequest = Omit<FitSettings, 'layout' | 'kernel' | 'names' | 'onPlan' | 'onIterate'> & {
  readonly design: DesignOptions;
  readonly nulls: 'error' | 'skip';
  readonly targets: TargetRule | null;
  readonly order: 'shuffle' | 'as-is' | undefined;
  readonly orderSeed: string;
  readonly declaredRows: number | undefined;
  /** The layout, once rows and features are known. */
  layoutFor(rows: number, features: number): LayoutOptions;
};

export function fitRequest(flags: FitFlags): FitRequest {
  const loss = lossOf(flags);
  const aggregate = aggregateOf(flags.aggregate);
  const failureProbability = number('--failure', flags.failure);
  const stepSize = optional('--step', flags.step, number);
  const method = flags.method as FitSettings['method'];
  const constraint = constraintOf(flags);
  const steps = optional('--steps', flags.steps, wholeNumber);
  const blocks = optional('--blocks', flags.blocks, wholeNumber);
  if (blocks !== undefined && aggregate !== 'median-of-means') {
    throw new ArgumentError(`--blocks goes with --aggregate median-of-means, got ${flags.aggregate}`);
  }
  const momentum = optional('--momentum', flags.momentum, momentumOf);
  const settings = {
    loss,
    method,
    aggregate,
    failureProbability,
    intercept: flags.intercept,
    penalty: optional('--ridge', flags.ridge, number) ?? 0,
    ...(stepSize === undefined ? {} : { stepSize }),
    ...(constraint === undefined ? {} : { constraint }),
    ...(momentum === undefined ? {} : { momentum }),
  };
  return {
    ...settings,
    design: {
      target: flags.target,
      categorical: levels(flags.categorical ?? []),
      ...(flags.features === undefined ? {} : { features: names('--features', flags.features) }),
      ...(flags.weights === undefined ? {} : { weights: flags.weights }),
    },
    nulls: flags.nulls,
    targets: loss === 'auto' ? null : targetRule(loss),
    order: flags.order,
    orderSeed: flags.orderSeed ?? 'sluice',
    declaredRows: optional('--rows', flags.rows, wholeNumber),
    layoutFor: (rows, features) => ({
      rows,
      size: features + (flags.intercept ? 1 : 0),
      aggregate: typeof aggregate === 'object' ? 'huber' : aggregate,
      failureProbability,
      mode: flags.mode,
      schedule: flags.schedule,
      pilot: needsPilot(settings),
      ...(steps === undefined ? {} : { steps }),
      ...(blocks === undefined ? {} : { blocks }),
    }),
  };
}

function lossOf({ loss }: FitFlags): NamedLoss | 'auto' {
  if (loss === 'auto') return 'auto';
  const { name, parameter } = withParameter(loss);
  if (parameter === undefined) return lossByName(name);
  if (name !== 'pseudo-huber')
    throw new ArgumentError(`--loss ${name} takes no parameter, got ${JSON.stringify(loss)}`);
  return lossByName(name, { parameter: number('--loss pseudo-huber:q', parameter) });
}

function targetRule({ name, loss }: NamedLoss): TargetRule | null {
  if (name === 'logistic') {
    return {
      accepts: target => target === 0 || target === 1,
      advice:
        'logistic needs targets 0 and 1, true and false, or a text column with two declared levels: --categorical target=no|yes',
    };
  }
  const { least } = loss.targets;
  return least === -Infinity
    ? null
    : { accepts: target => target >= least, advice: `${name} needs targets of at least ${least}` };
}

function aggregateOf(text: string): Aggregate {
  const { name, parameter } = withParameter(text);
  if (name === 'huber')
    return { huber: parameter === undefined ? 0.1 : number('--aggregate huber:contamination', parameter) };
  if ((name === 'mean' || name === 'median-of-means') && parameter === undefined) return name;
  throw new ArgumentError(
    `--aggregate must be median-of-means, mean or huber[:contamination], got ${JSON.stringify(text)}`,
  );
}

function constraintOf({ set, radius }: FitFlags): Constraint | undefined {
  const size = optional('--radius', radius, number);
  if (set === 'none') {
    if (size !== undefined) throw new ArgumentError('--radius goes with --set l2 or l1, got --set none');
    return undefined;
  }
  if (size === undefined) throw new ArgumentError(`--set ${set} needs --radius`);
  if (set === 'l2') return l2Ball(size);
  if (set === 'l1') return l1Ball(size);
  throw new ArgumentError('--set box comes with a later version; use l2 or l1');
}

const momentumOf = (flag: string, text: string): Momentum =>
  text === 'increasing' ? text : number(flag, text);
