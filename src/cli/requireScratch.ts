import { accessSync, constants, statSync } from 'node:fs';
import { ArgumentError } from '../index.ts';
import type { FitFlags } from './fitFlags.ts';

/** Whether rows will need it shows only when they are read; whether it is a folder does not depend on that. */
export function requireScratch({ scratch }: Pick<FitFlags, 'scratch'>): void {
  if (scratch === undefined) return;
  const refuse = (problem: string): never => {
    throw new ArgumentError(
      `--scratch ${scratch} ${problem}; name a folder that this user may write to, or leave it out`,
    );
  };
  if (statSync(scratch, { throwIfNoEntry: false })?.isDirectory() !== true) refuse('is no folder');
  try {
    accessSync(scratch, constants.W_OK);
  } catch {
    refuse('cannot be written to');
  }
}
