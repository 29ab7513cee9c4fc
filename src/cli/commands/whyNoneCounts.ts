import { ArgumentError, DataError, LARGEST_VALUE, listed, type TableSamples } from '../../index.ts';

/**
 * Replaces the error that stopped a fit by one that names the columns that leave no usable row, if there are any: the
 * fit itself sees only that rows were unusable.
 */
export function whyNoneCounts(
  error: unknown,
  { design, tally, unusable, wayOutWithout }: TableSamples,
): unknown {
  if (!(error instanceof ArgumentError) || error.code !== 'ERR_NO_ROWS' || tally.read === 0) return error;
  const names = unusable()
    .filter(({ rows }) => rows === tally.read)
    .map(({ name }) => name);
  if (names.length === 0) return withScarce(error, { design, tally, unusable, wayOutWithout });
  const isFeature = names.every(name => name !== design.target?.name && name !== design.weights?.name);
  const wayOut = isFeature ? wayOutWithout(names) : 'choose other columns';
  return new ArgumentError(
    `${listed(names)} ${names.length === 1 ? 'has' : 'have'} no usable value in any of the ${tally.read} rows read, so no row is usable; ${wayOut}`,
    error.code,
    { columns: names },
  );
}

/** Names columns without a value in most rows, where no column lacks one in all of them. */
function withScarce(
  error: ArgumentError,
  {
    design,
    tally,
    unusable,
    wayOutWithout,
  }: Pick<TableSamples, 'design' | 'tally' | 'unusable' | 'wayOutWithout'>,
): ArgumentError {
  const scarce = unusable()
    .filter(
      ({ name, rows }) =>
        rows > tally.read / 2 && name !== design.target?.name && name !== design.weights?.name,
    )
    .map(({ name }) => name);
  if (scarce.length === 0) return error;
  return new ArgumentError(
    `${error.message}: ${listed(scarce)} ${scarce.length === 1 ? 'has' : 'have'} no value in most rows; ${wayOutWithout(scarce)}`,
    error.code,
    { columns: scarce },
  );
}

/**
 * Replaces the error that stopped a fit by one that names the cell, where a value was too large for arithmetic. Rows
 * are shuffled, so the fit does not know which one it was. Reads the data once more.
 */
export async function whereTooLarge(error: unknown, samples: TableSamples): Promise<unknown> {
  if (!(error instanceof ArgumentError) || !isOverflow(error)) return error;
  const names = [...samples.design.features.map(({ name }) => name), samples.design.target?.name ?? ''];
  let before = 0;
  for await (const { rows, columns, target } of samples.batches()) {
    for (const [j, column] of [...columns, target].entries()) {
      const row = column.findIndex(value => Math.abs(value) > LARGEST_VALUE);
      if (row < 0) continue;
      const origin = samples.originOf(before + row);
      const place = { ...origin, column: names[j]! };
      return new DataError(
        `${origin.table}, column ${JSON.stringify(place.column)}, row ${origin.row}, counted from 0: ${column[row]} is too large to square; fix it or remove its row; if all values are that large, divide the column by a power of ten`,
        place,
        'ERR_TOO_LARGE',
      );
    }
    before += rows;
  }
  return error;
}

/** Also a number that squares made infinite or NaN before it reached a check. */
const isOverflow = ({ code, detail: { value } }: ArgumentError): boolean =>
  code === 'ERR_TOO_LARGE' || (typeof value === 'number' && !Number.isFinite(value));
