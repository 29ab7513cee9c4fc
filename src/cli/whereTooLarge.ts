import { ArgumentError, LARGEST_VALUE, type TableSamples } from '../index.ts';

/**
 * What stopped a fit, told by the cell that did it where that is a value too large for arithmetic: rows come shuffled,
 * so that the fit itself does not know which one it was. Reads the data once more.
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
        `${origin.table}, column ${JSON.stringify(names[j])}, row ${origin.row}, counted from 0: ${column[row]} is too large to square; mend it or leave its row out, or if all values are so large, divide them by a power of ten`,
      );
    }
    before += rows;
  }
  return error;
}
