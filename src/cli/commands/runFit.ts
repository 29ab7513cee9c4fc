import { type CallOptions, removeCheckpoint } from '../../fit/index.ts';
import { type Estimate, estimatePrivately, type PrivateEstimateOptions } from '../../index.ts';
import type { FitFlags } from '../flags/fitFlags.ts';
import { warn } from '../flags/privateOptions.ts';
import { inFlags } from '../render/inFlags.ts';
import { progress } from '../render/progress.ts';
import { type Publishable, publish } from './publish.ts';
import { sourceOf, stoppable } from './sourceOf.ts';

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
    const found = await stoppable(flags, signal => run({ onProgress: shown.tell, ...(signal && { signal }) }));
    shown.end();
    for (const warning of found.warnings) process.stderr.write(`sluice: ${inFlags(warning)}\n`);
    await publish(found, paths, flags);
  } finally {
    shown.end();
  }
}
