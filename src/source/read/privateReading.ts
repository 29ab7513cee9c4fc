/**
 * How a private run reads: nothing that a row holds may show in an error, in the type of a column or in the number of
 * rows. Columns are named and declared rather than sampled, and a row that cannot be used stays in its place with
 * weight 0, whatever is wrong with it.
 */
import { ArgumentError } from '../../errors.ts';
import type { OpenOptions } from './openTable.ts';
import type { ReadOptions } from './tableSamples.ts';

export function privateReading<Options extends ReadOptions & OpenOptions>(options: Options): Options {
  const { target, features, unit } = options;
  if (target === undefined || features === undefined) {
    throw new ArgumentError(
      'rows for a private run need `target` and `features` by name, because columns must not be chosen by what rows hold; name them',
    );
  }
  if (options.nulls === 'error' || options.malformed === 'error') {
    throw new ArgumentError(
      'rows for a private run cannot be refused for what they hold: leave out the options nulls and malformed',
    );
  }
  return {
    ...options,
    nulls: 'skip',
    malformed: 'nulls',
    sampleRows: 0,
    types: {
      ...Object.fromEntries([...features, target].map(name => [name, 'mixed'])),
      // Two units whose numbers round to the same one would share their rows.
      ...(unit !== undefined && { [unit]: 'integer' }),
      ...options.types,
    },
  };
}
