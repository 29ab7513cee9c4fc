/** Translates the flags of a private `fit`, `plan` or `audit` into options of `estimatePrivately`; reads no data. */

import { declaredFeatures, privateWarnings } from '../../fit/index.ts';
import { ArgumentError, type PrivateEstimateOptions } from '../../index.ts';
import type { DesignColumn } from '../../source/index.ts';
import { wordsOf } from '../../words.ts';
import { inFlags } from '../render/inFlags.ts';
import { refuseHoldout, refuseLevelsBesideWidth, requireNames, sharedOptions } from './estimateOptions.ts';
import { type FitFlags, flagOf } from './fitFlags.ts';
import { levels, lossFlag, namedLoss, names, optional, parseBounds, positive, present, wholeNumber } from './parse.ts';

export const isPrivate = ({ epsilon }: FitFlags): boolean => epsilon !== undefined;

/** Flags that mean nothing without --epsilon. */
const privateFlagNames = () =>
  wordsOf(
    'delta bounds normBound clip tail rowLength moments calibration ledger dataset budget unit maxPerUnit',
    'acceptLargeDelta seed',
  );

export function refusePrivateFlags(flags: FitFlags): void {
  for (const key of privateFlagNames()) {
    if (flags[key] !== undefined)
      throw new ArgumentError(
        `${flagOf(key)} is for private runs; give --epsilon too, or leave it out`,
        'ERR_CONFLICT',
        { arguments: [flagOf(key), '--epsilon'] },
      );
  }
}

export function privateOptions(flags: FitFlags): PrivateEstimateOptions {
  refuseUnprotected(flags);
  const { aggregate = 'mean', set, rowLength, ledger, dataset } = flags;
  const radius = optional('--radius', flags.radius, positive);
  if (set === 'none' && radius !== undefined)
    throw new ArgumentError('--radius goes with --set l2, l1 or box, got --set none', 'ERR_CONFLICT', {
      arguments: ['--radius', '--set'],
    });
  if (flags.blocks !== undefined && aggregate !== 'median-of-means')
    throw new ArgumentError(
      `--blocks goes with --aggregate median-of-means in a private run, got ${flags.aggregate}`,
      'ERR_CONFLICT',
      { arguments: ['--blocks', '--aggregate'] },
    );
  return present({
    ...sharedOptions(flags),
    ...declared(flags),
    aggregate: aggregate === 'median-of-means' ? ('median-of-means' as const) : ('mean' as const),
    loss: lossOf(flags),
    set: set === 'none' ? undefined : present({ kind: set, radius }),
    epsilon: positive('--epsilon', flags.epsilon!),
    delta: positive('--delta', flags.delta!),
    clip: optional('--clip', flags.clip, positive),
    tail: optional('--tail', flags.tail, wholeNumber),
    rowLength: rowLength === 'none' ? Infinity : optional('--row-length', rowLength, positive),
    moments: flags.moments,
    calibration: flags.calibration,
    maxPerUnit: optional('--max-per-unit', flags.maxPerUnit, wholeNumber),
    acceptLargeDelta: flags.acceptLargeDelta,
    seed: flags.seed,
    ledger:
      ledger === undefined
        ? undefined
        : present({ file: ledger, dataset: dataset!, budget: optional('--budget', flags.budget, positive) }),
  });
}

/** The columns that are declared, with their bounds. */
function declared(flags: FitFlags) {
  requireNames(flags);
  return present({
    target: flags.target,
    features: optional('--features', flags.features, names),
    categorical: levels(flags.categorical ?? []),
    bounds: optional('--bounds', flags.bounds, parseBounds),
    normBound: optional('--norm-bound', flags.normBound, positive),
    unit: flags.unit,
  });
}

/** Without a parameter, the loss is given by name, so that its parameter is chosen by the declared scale of the target. */
function lossOf({ loss }: FitFlags): NonNullable<PrivateEstimateOptions['loss']> {
  if (loss === 'auto') return loss;
  const { name, parameter } = lossFlag(loss);
  return parameter === undefined ? name : namedLoss(loss);
}

/** Refuses what a private run must not do, in terms of flags that are not options of it. */
function refuseUnprotected(flags: FitFlags): void {
  const refuse = (names: string, problem: string): never => {
    throw new ArgumentError(problem, 'ERR_CONFLICT', { arguments: names.split(' ') });
  };
  if (flags.delta === undefined)
    refuse('--epsilon --delta', '--epsilon needs --delta; 1e-6 is usual, and it must be below 1/n');
  if (flags.nulls === 'error')
    refuse(
      '--nulls --epsilon',
      '--nulls error would reveal the contents of rows; a private run gives such rows a zero gradient: leave the flag out',
    );
  if (flags.sql !== undefined)
    refuse(
      '--sql --epsilon',
      '--sql may combine several rows into one, or drop rows by their contents; for a private run, write its result to a file',
    );
  refuseHoldout(flags, 'a private run, because the held-out loss would be shown without noise');
  if (flags.weights !== undefined)
    refuse('--weights --epsilon', '--weights is not for private runs, because row weights are data; leave it out');
  if (flags.start !== undefined) refuse('--start --epsilon', '--start is not for private runs yet; leave it out');
  if (flags.aggregate?.startsWith('huber'))
    refuse(
      '--aggregate --epsilon',
      '--aggregate huber has no bounded sensitivity to one row; use mean or median-of-means',
    );
  if (flags.ledger !== undefined && flags.dataset === undefined)
    refuse('--ledger --dataset', '--ledger needs --dataset NAME, by which it adds up runs on the same data');
  if (flags.ledger === undefined && (flags.dataset !== undefined || flags.budget !== undefined))
    refuse('--dataset --budget --ledger', '--dataset and --budget go with --ledger FILE');
}

/** What should be said of a private run that is carried out anyway. */
export function warn(options: PrivateEstimateOptions, { quiet }: FitFlags): void {
  if (quiet) return;
  for (const warning of privateWarnings(options)) process.stderr.write(`sluice: ${inFlags(warning)}\n`);
}

/**
 * The features of a private run that is planned without data: by name where they are named or bounded; otherwise as
 * many as --width says, for --norm-bound.
 */
export function declaredColumns(flags: FitFlags): readonly Pick<DesignColumn, 'name' | 'level' | 'field'>[] {
  const width = optional('--width', flags.width, wholeNumber);
  if (width !== undefined && flags.features === undefined && flags.normBound !== undefined) {
    refuseLevelsBesideWidth(flags);
    return Array.from({ length: width }, (_, field) => ({ name: `x${field + 1}`, field }));
  }
  if (flags.normBound !== undefined && flags.features === undefined && flags.bounds === undefined)
    throw new ArgumentError(
      'plan reads no data; give --width P, the number of features, or --features',
      'ERR_ARGUMENT',
      { argument: '--width' },
    );
  const options = declared(flags);
  const levelsOf = new Map(Object.entries(options.categorical));
  const found = declaredFeatures(options).flatMap(
    (name, field) =>
      levelsOf.get(name)?.map((text, level) => ({ name: `${name}=${text}`, level, field })) ?? [{ name, field }],
  );
  if (width === undefined || width === found.length) return found;
  throw new ArgumentError(
    `--width must be ${found.length}, the number of features that are named or bounded, got ${width}; leave one of them out`,
    'ERR_CONFLICT',
    { arguments: ['--width', '--features'] },
  );
}
