import { accessSync, constants, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import {
  ArgumentError,
  type LocalEngine,
  localEngine,
  MOST_THREADS,
  type ReadOptions,
  type TableSamples,
} from '../../index.ts';
import type { FitFlags } from '../flags/fitFlags.ts';
import { optional, wholeNumber } from '../flags/parse.ts';
import { type Progress, progress } from '../render/progress.ts';
import { openData } from './openData.ts';

/** What every fit needs. */
export interface FitSession {
  readonly samples: TableSamples;
  readonly engine: LocalEngine;
  readonly shown: Progress;
}

/** Opens a session for `work` and closes it however `work` ends. */
export async function fitSession(
  paths: readonly string[],
  flags: FitFlags,
  read: ReadOptions,
  work: (session: FitSession) => Promise<void>,
): Promise<void> {
  requireScratch(flags);
  const threads = optional('--threads', flags.threads, threadCount) ?? availableParallelism();
  // No threads are started yet, so there is nothing to close if the data cannot be opened.
  const engine = localEngine({ threads });
  const samples = await openData(paths, flags, { ...read, threads });
  const shown = progress({ quiet: flags.quiet === true });
  try {
    await work({ samples, engine, shown });
  } finally {
    shown.end();
    await Promise.all([samples.close(), engine.close()]);
  }
}

function threadCount(flag: string, text: string): number {
  const count = wholeNumber(flag, text);
  if (count <= MOST_THREADS) return count;
  throw new ArgumentError(`${flag} must be at most ${MOST_THREADS}, got ${text}`);
}

/** Whether the folder is needed is known only once rows are read; whether it is usable can be checked now. */
export function requireScratch({ scratch }: Pick<FitFlags, 'scratch'>): void {
  if (scratch === undefined) return;
  const refuse = (problem: string): never => {
    throw new ArgumentError(
      `--scratch ${scratch} ${problem}; name a folder that this user may write to, or leave it out`,
    );
  };
  if (statSync(scratch, { throwIfNoEntry: false })?.isDirectory() !== true) refuse('is not a folder');
  try {
    accessSync(scratch, constants.W_OK);
  } catch {
    refuse('is not writable');
  }
}
