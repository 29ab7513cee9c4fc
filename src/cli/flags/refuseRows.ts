import { ArgumentError } from '../../index.ts';
import type { FitFlags } from './fitFlags.ts';

/** Flags that say where rows are. */
const OF_ROWS = ['sql', 'engine', 'table', 'path', 'id'] as const;

/** Refuses flags that say where rows are, of a command that reads none. */
export function refuseRows(flags: Pick<FitFlags, (typeof OF_ROWS)[number]>, command: 'plan' | 'audit'): void {
  for (const name of OF_ROWS)
    if (flags[name] !== undefined)
      throw new ArgumentError(
        `${command} reads no data, so it cannot use --${name}; give --rows N and --width P instead`,
        'ERR_CONFLICT',
        { arguments: [`--${name}`, command] },
      );
}
