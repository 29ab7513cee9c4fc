import { ArgumentError, dataError } from '../errors.ts';
import { LARGEST_VALUE } from '../inference/pilot/studyPilot.ts';
import type { TableSamples } from '../source/read/tableSamples.ts';
import { listed } from '../words.ts';

/**
 * The error that stopped a fit, with the columns or the cell that it comes from: the fit itself sees shuffled rows of
 * doubles. Only for runs that are not private, because it tells what rows hold.
 */
export async function withPlace(error: unknown, samples: TableSamples, canReread: boolean): Promise<unknown> {
  if (!(error instanceof ArgumentError)) return error;
  if (error.code === 'ERR_NO_ROWS') return whyNoneCounts(error, samples);
  return error.code === 'ERR_TOO_LARGE' && canReread ? whereTooLarge(error, samples) : error;
}

/** Names the columns that leave no usable row, or those without a value in most rows. */
function whyNoneCounts(error: ArgumentError, { design, tally, unusable, wayOutWithout }: TableSamples): ArgumentError {
  const isFeature = (name: string): boolean => name !== design.target?.name && name !== design.weights?.name;
  const lacking = (least: number): readonly string[] =>
    unusable()
      .filter(({ rows }) => rows >= least)
      .map(({ name }) => name);
  const names = lacking(tally.read);
  if (names.length > 0) {
    const wayOut = names.every(isFeature) ? wayOutWithout(names) : 'choose other columns';
    return new ArgumentError(
      `${listed(names)} ${names.length === 1 ? 'has' : 'have'} no usable value in any of the ${tally.read} rows read, so no row is usable; ${wayOut}`,
      'ERR_NO_ROWS',
      { rows: tally.read, columns: names },
    );
  }
  const scarce = lacking(Math.floor(tally.read / 2) + 1).filter(isFeature);
  if (scarce.length === 0) return error;
  return new ArgumentError(
    `${error.message}: ${listed(scarce)} ${scarce.length === 1 ? 'has' : 'have'} no value in most rows; ${wayOutWithout(scarce)}`,
    'ERR_NO_ROWS',
    { rows: tally.read, columns: scarce },
  );
}

/** Names the cell whose value was too large for arithmetic. Reads the data once more. */
async function whereTooLarge(error: ArgumentError, samples: TableSamples): Promise<ArgumentError> {
  const names = [...samples.design.features.map(({ name }) => name), samples.design.target?.name ?? ''];
  let before = 0;
  for await (const { rows, columns, target } of samples.batches()) {
    for (const [j, column] of [...columns, target].entries()) {
      const row = column.findIndex(value => Math.abs(value) > LARGEST_VALUE);
      if (row < 0) continue;
      return dataError(
        { ...samples.originOf(before + row), column: names[j]! },
        `${column[row]} is too large to square`,
        'fix it or remove its row; if all values are that large, divide the column by a power of ten',
        error.code,
      );
    }
    before += rows;
  }
  return error;
}
