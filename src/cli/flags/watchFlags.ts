import type { Command } from 'commander';
import type { OnlineOptions } from '../../fit/online/index.ts';
import { ArgumentError } from '../../index.ts';
import { requireNames } from './estimateOptions.ts';
import { addChargeFlags, addColumnFlags, addGuaranteeFlags, addLossFlags, choice, type FitFlags } from './fitFlags.ts';
import {
  levels,
  lossFlag,
  namedLoss,
  names,
  nonNegative,
  number,
  optional,
  parseBounds,
  positive,
  present,
  wholeNumber,
} from './parse.ts';

/** The flags of `sluice watch`: those of `fit` for columns, losses and privacy, and those of streams. */
export interface WatchFlags
  extends Pick<
    FitFlags,
    | 'target'
    | 'features'
    | 'categorical'
    | 'weights'
    | 'nulls'
    | 'loss'
    | 'ridge'
    | 'intercept'
    | 'epsilon'
    | 'delta'
    | 'bounds'
    | 'ledger'
    | 'dataset'
    | 'budget'
    | 'unit'
    | 'maxPerUnit'
    | 'seed'
    | 'checkpoint'
    | 'out'
    | 'json'
    | 'quiet'
  > {
  readonly perChunk?: string;
  readonly chunk?: string;
  readonly forget?: string;
  readonly onAlarm?: 'restart' | 'note';
  readonly history?: readonly string[];
  readonly every?: string;
  readonly untilRows?: string;
  readonly publish?: string;
  readonly deadLetters?: string;
  readonly mostBad?: string;
  readonly listen?: string;
}

/** What decides on the chunks of a stream, which `plan --watch` takes too. */
export const addChunkFlags = (command: Command): Command =>
  command
    .option('--chunk <rows>', 'rows of a chunk, after each of which there is an estimate (default: planned)')
    .option('--forget <rows>', 'rows after which a row counts 1/e of a new one (default: none is forgotten)')
    .addOption(
      choice('--on-alarm <what>', 'when coefficients have changed: begin counting anew, or only note it', [
        'restart',
        'note',
      ]),
    )
    .option('--per-chunk <c>', 'most rows of a unit that enter one chunk (default: 1)');

export function addWatchFlags(command: Command): Command {
  addColumnFlags(command.optionsGroup('Data:'))
    .option('--history <data...>', 'files that come before the stream: same chunks, same state')
    .option('--dead-letters <where>', 'file, or nats:// or kafka:// address, that takes records that cannot be read')
    .option('--most-bad <share>', 'share of the last 1,000 records that may be unreadable (default: 0.05)');
  addChunkFlags(addLossFlags(command))
    .option('--every <time>', 'close a chunk so long after its first row, however few it has, such as 30s; not private')
    .option('--until-rows <n>', 'end after so many rows');
  return addChargeFlags(addGuaranteeFlags(command))
    .optionsGroup('Running:')
    .option('--checkpoint <folder>', 'keep the state, so that the same command goes on where it was stopped')
    .option('--out <model.json>', 'model file, replaced whole after every chunk')
    .option('--publish <address>', 'nats:// subject or kafka:// topic that gets every estimate')
    .option(
      '--listen <host:port>',
      'serve a page at /, and /events, /metrics, /healthz; its token, which addresses beyond this machine need, is in SLUICE_LISTEN_TOKEN',
    )
    .option('--json', 'print one estimate a line')
    .option('--quiet', 'show no progress');
}

/** What `estimateOnline` is asked by these flags, apart from where estimates go. */
export function onlineOptions(flags: WatchFlags): OnlineOptions {
  requireNames(flags);
  const { ledger, dataset, budget } = flags;
  if (ledger !== undefined && dataset === undefined)
    throw new ArgumentError(
      '--ledger needs --dataset NAME, by which it adds up runs on the same data',
      'ERR_CONFLICT',
      { arguments: ['--ledger', '--dataset'] },
    );
  if (ledger === undefined && (dataset !== undefined || budget !== undefined))
    throw new ArgumentError('--dataset and --budget go with --ledger FILE', 'ERR_CONFLICT', {
      arguments: ['--dataset', '--budget', '--ledger'],
    });
  if (flags.epsilon !== undefined && flags.delta === undefined)
    throw new ArgumentError('--epsilon needs --delta; for a stream it is at most 1e-6', 'ERR_CONFLICT', {
      arguments: ['--epsilon', '--delta'],
    });
  const categorical = levels(flags.categorical ?? []);
  return present({
    target: flags.target,
    features: optional('--features', flags.features, names),
    categorical: Object.keys(categorical).length > 0 ? categorical : undefined,
    intercept: flags.intercept,
    weights: flags.weights,
    nulls: flags.nulls,
    loss: lossOf(flags),
    penalty: optional('--ridge', flags.ridge, nonNegative),
    epsilon: optional('--epsilon', flags.epsilon, positive),
    delta: optional('--delta', flags.delta, positive),
    bounds: optional('--bounds', flags.bounds, parseBounds),
    unit: flags.unit,
    maxPerUnit: optional('--max-per-unit', flags.maxPerUnit, wholeNumber),
    perChunk: optional('--per-chunk', flags.perChunk, wholeNumber),
    seed: flags.seed,
    ledger:
      ledger === undefined
        ? undefined
        : present({ file: ledger, dataset: dataset!, budget: optional('--budget', budget, positive) }),
    chunk: optional('--chunk', flags.chunk, wholeNumber),
    forget: optional('--forget', flags.forget, positive),
    onAlarm: flags.onAlarm,
    history: flags.history,
    every: optional('--every', flags.every, milliseconds),
    untilRows: optional('--until-rows', flags.untilRows, wholeNumber),
    mostBad: optional('--most-bad', flags.mostBad, share),
    checkpoint: flags.checkpoint,
  });
}

/** Pseudo-Huber without a parameter is left to be learnt, or released. */
function lossOf({ loss }: WatchFlags): OnlineOptions['loss'] {
  if (loss === 'auto') return loss;
  const { name, parameter } = lossFlag(loss);
  return parameter === undefined ? name : namedLoss(loss);
}

function share(flag: string, text: string): number {
  const value = number(flag, text);
  if (value >= 0 && value <= 1) return value;
  throw new ArgumentError(`${flag} must be a share from 0 to 1, got ${JSON.stringify(text)}`, 'ERR_ARGUMENT', {
    argument: flag,
    value: text,
  });
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** '30s' */
export function milliseconds(flag: string, text: string): number {
  const [, count, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  const value = Number(count) * (UNITS[unit ?? ''] ?? NaN);
  if (value >= 1 && value <= 2 ** 31 - 1) return value;
  throw new ArgumentError(
    `${flag} must be a time such as 500ms, 30s, 5m or 1h, got ${JSON.stringify(text)}`,
    'ERR_ARGUMENT',
    { argument: flag, value: text },
  );
}
