/** `sluice fit`: from files to a model. */
import { accessSync, constants, statSync } from 'node:fs';
import { ArgumentError, estimate } from '../../index.ts';
import { estimateOptions, refuseHoldout } from '../flags/estimateOptions.ts';
import type { FitFlags } from '../flags/fitFlags.ts';
import { isPrivate, privateOptions, refusePrivateFlags } from '../flags/privateOptions.ts';
import { refuseGiven } from '../flags/theoremFlags.ts';
import { requireFitOutputs } from './outputs.ts';
import { readModel } from './readModel.ts';
import { fitPrivately, published, sourceOf } from './runFit.ts';

export async function fitCommand(paths: readonly string[], flags: FitFlags): Promise<void> {
  await requireFitOutputs(paths, flags);
  requireScratch(flags);
  if (flags.theorem !== undefined) {
    refuseHoldout(flags, '--theorem');
    const { theoremFitCommand } = await import('./theoremFitCommand.ts');
    return theoremFitCommand(paths, flags);
  }
  refuseGiven(flags);
  if (isPrivate(flags)) return fitPrivately(paths, flags, privateOptions(flags));
  refusePrivateFlags(flags);
  const options = estimateOptions(flags);
  const start = flags.start === undefined ? {} : { start: await readModel(flags.start) };
  await published(paths, flags, watched => estimate(sourceOf(paths, flags), { ...options, ...start, ...watched }));
}

/** Whether the folder is needed is known only once rows are read; whether it is usable can be checked now. */
export function requireScratch({ scratch }: Pick<FitFlags, 'scratch'>): void {
  if (scratch === undefined) return;
  const refuse = (problem: string): never => {
    throw new ArgumentError(
      `--scratch ${scratch} ${problem}; name a folder that this user may write to, or leave it out`,
      'ERR_FILE',
      { file: scratch },
    );
  };
  if (statSync(scratch, { throwIfNoEntry: false })?.isDirectory() !== true) refuse('is not a folder');
  try {
    accessSync(scratch, constants.W_OK);
  } catch {
    refuse('is not writable');
  }
}
