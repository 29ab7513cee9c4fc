import { type CallOptions, removeCheckpoint } from '../../fit/index.ts';
import {
  ArgumentError,
  type Estimate,
  estimatePrivately,
  fromSql,
  type PrivateEstimateOptions,
  type RowSource,
} from '../../index.ts';
import type { FitFlags } from '../flags/fitFlags.ts';
import { warn } from '../flags/privateOptions.ts';
import { inFlags } from '../render/inFlags.ts';
import { progress } from '../render/progress.ts';
import { type Publishable, publish } from './publish.ts';

/** Everything printed or written was released by the mechanism or is public. */
export async function fitPrivately(
  paths: readonly string[],
  flags: FitFlags,
  options: PrivateEstimateOptions,
): Promise<void> {
  warn(options, flags);
  await published(paths, flags, watched => estimatePrivately(sourceOf(paths, flags), { ...options, ...watched }));
  // Not sooner: until the result is safe, the same command has it again at no cost.
  if (flags.checkpoint !== undefined) removeCheckpoint(flags.checkpoint);
}

/** Runs an estimate under the eyes of the user, and publishes it. */
export async function published(
  paths: readonly string[],
  flags: FitFlags,
  run: (watched: CallOptions) => Promise<Publishable & Pick<Estimate, 'warnings'>>,
): Promise<void> {
  const shown = progress({ quiet: flags.quiet === true });
  try {
    const found = await run({ onProgress: shown.tell });
    shown.end();
    for (const warning of found.warnings) process.stderr.write(`sluice: ${inFlags(warning)}\n`);
    await publish(found, paths, flags);
  } finally {
    shown.end();
  }
}

/** The rows given to a command: files, standard input, or a query. */
export function sourceOf(paths: readonly string[], { sql, rows, epsilon, theorem }: FitFlags): RowSource {
  if (sql !== undefined) {
    if (paths.length === 0) return fromSql(sql);
    throw new ArgumentError(`give either files or --sql, got both: ${paths.join(', ')}`, 'ERR_CONFLICT', {
      arguments: ['files', '--sql'],
    });
  }
  if (paths.length === 0)
    throw new ArgumentError(
      'there is nothing to read; name files, - for standard input, or give --sql QUERY',
      'ERR_ARGUMENT',
      { argument: 'files' },
    );
  // What is planned before any row is read must know how many will come.
  if (paths.includes('-') && rows === undefined && (epsilon !== undefined || theorem !== undefined))
    throw new ArgumentError('standard input does not declare its number of rows; give --rows N', 'ERR_ARGUMENT', {
      argument: '--rows',
    });
  return paths;
}
