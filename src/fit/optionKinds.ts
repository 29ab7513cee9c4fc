import { refuse } from '../errors.ts';
import { requireConstraint } from '../method/constraint/constraint.ts';
import { namedLossOf } from '../method/loss/namedLossOf.ts';
import {
  aFunction,
  amount,
  choice,
  flag,
  type Kind,
  type Kinds,
  number,
  oneOf,
  partsOf,
  recordOf,
  signal,
  text,
  texts,
} from '../options.ts';
import type { CallOptions } from './call.ts';
import type { EstimateOptions } from './estimate.ts';

/** Kinds of options that several calls of this room have. */

export const callKinds = (): Kinds<CallOptions> => ({ signal, onProgress: aFunction });

export const loss: Kind = (_, value: unknown) => value === 'auto' || namedLossOf(value as never);

/** Of a simulation. */
export const seed: Kind = (name, value: unknown) =>
  typeof value === 'string' || Number.isFinite(value) || refuse(name, 'be a text or a number', value);

export const ledger = (): Kind =>
  partsOf(
    "be the place of a run, such as `{ file: 'people.jsonl', dataset: 'people' }`",
    { file: text, dataset: text },
    {
      budget: number,
    },
  );

export const bounds = (): Kind =>
  recordOf((name, value: unknown) => {
    const isRange = Array.isArray(value) && value.length === 2 && value.every(end => typeof end === 'number');
    if (!isRange) refuse(name, 'be the least and the largest value, such as [0, 80]', value);
  }, '{ hours: [0, 80] }');

const aggregate = (): Kind =>
  oneOf(
    "be 'auto', 'mean', 'median-of-means', `{ huber: 0.1 }` or an aggregator",
    value => typeof value === 'string',
    value => typeof Object(value).huber === 'number',
    value => typeof Object(value).aggregate === 'function',
  );

const start: Kind = (name, value: unknown) => {
  if (value instanceof Float64Array) return;
  const { features, coefficients, intercept } = Object(value) as Partial<Record<string, unknown>>;
  const isModel =
    Array.isArray(features) &&
    features.every(feature => typeof Object(coefficients)[feature] === 'number') &&
    (intercept === null || typeof intercept === 'number');
  if (!isModel) refuse(name, 'be coefficients as a Float64Array, or a model', value, 'give the `model` of a result');
};

/** What a run takes whether it is private or not. */
export const runKinds = () => ({
  ...callKinds(),
  aggregate: aggregate(),
  blocks: number,
  checkpoint: text,
  failureProbability: number,
  features: texts,
  intercept: flag,
  loss,
  memoryBytes: amount,
  method: text,
  mode: text,
  momentum: oneOf('be "increasing" or a number', value => typeof value === 'number' || value === 'increasing'),
  onIterate: aFunction,
  order: text,
  orderSeed: text,
  penalty: amount,
  rows: amount,
  schedule: choice('uniform', 'geometric'),
  scratch: text,
  stepSize: number,
  steps: number,
  target: text,
  threads: number,
});

/** The radius may be left out where a call has a usual one. */
export const setKind = (hasRadius: boolean): Kind => {
  const radius = { radius: number };
  const parts = { kind: choice('l1', 'l2', 'box'), ...(hasRadius && radius) };
  return partsOf(`be a set such as \`{ kind: 'l2'${hasRadius ? ', radius: 1' : ''} }\``, parts, radius);
};

export const estimateKinds = ({
  categorical,
  weights,
  nulls,
  types,
  stdin,
  scratchBytes,
}: Kinds<
  Pick<EstimateOptions, 'categorical' | 'weights' | 'nulls' | 'types' | 'stdin' | 'scratchBytes'>
>): Kinds<EstimateOptions> => ({
  ...runKinds(),
  ...{ categorical, weights, nulls, types, stdin, scratchBytes },
  constraint: (_, value: never) => requireConstraint(value),
  holdout: number,
  id: text,
  set: setKind(true),
  start,
});
