/**
 * `--trace`: the coefficients after every step, as a table. A run with seeded noise is not private, and its trace says
 * so: Arrow and Parquet files in their metadata, under the key `sluice.note`; CSV and NDJSON, which cannot store
 * metadata, in a last column that has the note as its name and 1 in every row.
 */
import { holdsMetadata, INTERCEPT, type Iterate, type Model, openPredictionSink } from '../../index.ts';

export interface IterateTrace {
  keep(iterate: Iterate): void;
  /** Writes the iterates kept, next to the model's record of each step. */
  write(model: Model): Promise<void>;
}

/** The columns before the coefficients; `sigma` is 0 where no noise was added. */
const STEP_COLUMNS = ['step', 'rows', 'gradientNorm', 'sigma'] as const;

/** Keeps nothing where no file is wanted. `inUnits` converts an iterate to the units of the data. */
export function traceIterates(
  path: string | undefined,
  inUnits = (theta: Float64Array): Float64Array => theta,
): IterateTrace {
  if (path === undefined) return { keep: () => {}, write: async () => {} };
  const thetas: Float64Array[] = [];
  return {
    keep: ({ theta }) => {
      thetas.push(inUnits(theta).slice());
    },
    write: async ({ steps, features, intercept, ledger: { note } }) => {
      const names = [...features, ...(intercept === null ? [] : [INTERCEPT])];
      const columns = [
        ...STEP_COLUMNS.map(name => Float64Array.from(steps, step => step[name] ?? 0)),
        ...names.map((_, j) => Float64Array.from(thetas, theta => theta[j]!)),
      ];
      const titles = [...STEP_COLUMNS, ...names.map(apart)];
      if (note !== undefined && !holdsMetadata(path)) {
        titles.push(note);
        columns.push(new Float64Array(steps.length).fill(1));
      }
      const sink = await openPredictionSink(path, {
        columns: titles,
        ...(note !== undefined && { metadata: { 'sluice.note': note } }),
      });
      try {
        await sink.write(columns, steps.length);
        await sink.commit();
      } finally {
        await sink.abandon();
      }
    },
  };
}

/** A feature may have the name of one of the step columns. */
const apart = (name: string): string =>
  (STEP_COLUMNS as readonly string[]).includes(name) ? `coefficient of ${name}` : name;
