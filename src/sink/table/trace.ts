import type { Table } from 'apache-arrow';
import type { Model } from '../../model/model.ts';
import { INTERCEPT } from '../../sample/samples.ts';

/** The columns before the coefficients; `sigma` is 0 where no noise was added. */
const STEP_COLUMNS = ['step', 'rows', 'gradientNorm', 'sigma'] as const;

/** The columns of a table of iterates, by name. */
export function traceColumns(
  { steps, features, intercept }: Pick<Model, 'steps' | 'features' | 'intercept'>,
  thetas: readonly Float64Array[],
): readonly (readonly [string, Float64Array])[] {
  const names = [...features, ...(intercept === null ? [] : [INTERCEPT])];
  // A feature may have the name of one of the step columns.
  const titleOf = (name: string): string =>
    (STEP_COLUMNS as readonly string[]).includes(name) ? `coefficient of ${name}` : name;
  return [
    ...STEP_COLUMNS.map(name => [name, Float64Array.from(steps, step => step[name] ?? 0)] as const),
    ...names.map((name, j) => [titleOf(name), Float64Array.from(thetas, theta => theta[j]!)] as const),
  ];
}

/** The same as an Arrow table; apache-arrow is loaded when it is asked for. */
export async function traceTable(model: Model, thetas: readonly Float64Array[]): Promise<Table> {
  const { Table, makeVector } = await import('apache-arrow');
  return new Table(Object.fromEntries(traceColumns(model, thetas).map(([name, values]) => [name, makeVector(values)])));
}
