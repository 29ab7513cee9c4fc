import { ArgumentError, requireLength } from '../../errors.ts';
import type { Samples } from '../../sample/samples.ts';
import { rowRange } from '../../sample/transform/mapSamples.ts';
import type { DesignOptions } from '../design/design.ts';
import type { TableSamples } from '../read/tableSamples.ts';
import type { FillRequest, Table } from '../table/table.ts';

const NAME = 'the samples';

/**
 * Samples as they are, with the names of features that are given, or x1, x2, … They stay open for whoever opened them.
 * Options that choose or read columns are refused, because the columns have been chosen.
 */
export function namedSamples(given: Samples, options: DesignOptions & { readonly rows?: number }): TableSamples {
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
      ? xNames(given.features)
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
    rounded: () => [],
    inFiles: false,
    wayOutWithout: () => 'make samples without it',
    originOf: row => ({ table: NAME, row }),
    close: async () => {},
  };
}

/** Samples as a table of numbers: the features as x1, x2, …, the target as y, and the weights if there are any. */
export function samplesTable(samples: Samples): Table {
  const { rows, features, weighted, hasTarget = true } = samples;
  const names = [...xNames(features), ...(hasTarget ? ['y'] : []), ...(weighted ? ['weights'] : [])];
  const notText = (): never => {
    throw new ArgumentError('Samples have numbers only, which have no levels', 'ERR_ARGUMENT', {
      argument: 'categorical',
    });
  };
  return Object.freeze({
    name: NAME,
    format: 'memory' as const,
    fields: names.map(name => Object.freeze({ name, kind: 'float' as const, type: 'Float64', width: 1 })),
    rows,
    async *frames() {
      for await (const { rows, columns, target, weights } of samples.batches()) {
        const own = weights ?? new Float64Array(rows).fill(1);
        const all = [...columns, ...(hasTarget ? [target] : []), own];
        const fill = ({ field, start, count, out }: FillRequest): number => {
          out.set(all[field]!.subarray(start, start + count));
          return 0;
        };
        yield { rows, fill, fillLevels: notText, discoverLevels: notText };
      }
    },
    close: async () => {},
  });
}

const xNames = (features: number): readonly string[] => Array.from({ length: features }, (_, k) => `x${k + 1}`);
