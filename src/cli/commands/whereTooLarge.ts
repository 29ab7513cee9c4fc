import { ArgumentError, LARGEST_VALUE, type TableSamples } from '../../index.ts';

/**
 * Replaces the error that stopped a fit by one that names the cell, where a value was too large for arithmetic. Rows
 * are shuffled, so the fit does not know which one it was. Reads the data once more.
 */
export async function whereTooLarge(error: unknown, samples: TableSamples): Promise<unknown> {
  if (!(error instanceof ArgumentError) || !/too large to square|a finite number/.test(error.message))
    return error;
  const names = [...samples.design.features.map(({ name }) => name), samples.design.target?.name ?? ''];
  let before = 0;
  for await (const { rows, columns, target } of samples.batches()) {
    for (const [j, column] of [...columns, target].entries()) {
      const row = column.findIndex(value => Math.abs(value) > LARGEST_VALUE);
      if (row < 0) continue;
      const origin = samples.originOf(before + row);
      return new ArgumentError(
        `${origin.table}, column ${JSON.stringify(names[j])}, row ${origin.row}, counted from 0: ${column[row]} is too large to square; fix it or remove its row; if all values are that large, divide the column by a power of ten`,
      );
    }
    before += rows;
  }
  return error;
}
