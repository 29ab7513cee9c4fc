/** `--trace`: the coefficients after every step, as a table. */
import { INTERCEPT, type Iterate, type Model, openPredictionSink } from '../index.ts';

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
    write: async ({ steps, features, intercept }) => {
      const names = [...features, ...(intercept === null ? [] : [INTERCEPT])];
      const columns = [
        ...STEP_COLUMNS.map(name => Float64Array.from(steps, step => step[name] ?? 0)),
        ...names.map((_, j) => Float64Array.from(thetas, theta => theta[j]!)),
      ];
      const sink = await openPredictionSink(path, { columns: [...STEP_COLUMNS, ...names.map(apart)] });
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
