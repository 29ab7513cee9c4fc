import { ArgumentError, requireLength } from '../../errors.ts';
import type { Samples } from '../../sample/samples.ts';
import { rowRange } from '../../sample/transform/mapSamples.ts';
import type { DesignOptions } from '../design/design.ts';
import type { TableSamples } from '../read/tableSamples.ts';

const NAME = 'the samples';

/**
 * Samples as they are, with the names of features that are given, or x1, x2, … They stay open for whoever opened them.
 * Options that choose or read columns are refused, because the columns have been chosen.
 */
export function namedSamples(
  given: Samples,
  options: DesignOptions & { readonly rows?: number },
): TableSamples {
  if ('design' in given && 'originOf' in given) return { ...(given as TableSamples), close: async () => {} };
  for (const name of ['categorical', 'weights', 'unit'] as const) {
    if (options[name] !== undefined)
      throw new ArgumentError(
        `${name} cannot be applied to Samples, whose columns have been read; give the table or the files instead`,
        'ERR_CONFLICT',
        { argument: name },
      );
  }
  const { target = 'y', rows = given.rows } = options;
  const samples = rows < given.rows ? rowRange(given, 0, rows) : given;
  const names =
    options.features === undefined
      ? Array.from({ length: given.features }, (_, k) => `x${k + 1}`)
      : requireLength('features', options.features, given.features);
  const tally = { read: 0, invalid: 0 };
  return {
    rows: samples.rows,
    features: samples.features,
    weighted: samples.weighted,
    hasTarget: samples.hasTarget,
    namesRows: samples.namesRows,
    design: Object.freeze({
      features: names.map((name, field) => ({ name, field })),
      categorical: {},
      ...(samples.hasTarget !== false && { target: { name: target, field: names.length } }),
    }),
    tally,
    async *batches() {
      tally.read = 0;
      for await (const batch of samples.batches()) {
        tally.read += batch.rows;
        yield batch;
      }
    },
    levels: () => [],
    hasMore: () => rows < given.rows,
    unusable: () => [],
    wayOutWithout: () => 'make samples without it',
    originOf: row => ({ table: NAME, row }),
    close: async () => {},
  };
}
