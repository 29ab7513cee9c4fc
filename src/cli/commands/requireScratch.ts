import { accessSync, constants, statSync } from 'node:fs';
import { ArgumentError } from '../../index.ts';
import type { FitFlags } from '../flags/fitFlags.ts';

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
