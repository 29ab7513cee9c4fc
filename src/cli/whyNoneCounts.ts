import { ArgumentError, listed, type TableSamples } from '../index.ts';

/**
 * What stopped a fit, told by the columns that leave no row to count where there are some: the fit itself sees only
 * that rows were left out.
 */
export function whyNoneCounts(
  error: unknown,
  { design, tally, unusable, wayOutWithout }: TableSamples,
): unknown {
  if (!(error instanceof ArgumentError) || !error.message.startsWith('none of the ')) return error;
  const names = unusable()
    .filter(({ rows }) => rows === tally.read)
    .map(({ name }) => name);
  if (names.length === 0) return withScarce(error, { design, tally, unusable, wayOutWithout });
  const isFeature = names.every(name => name !== design.target?.name && name !== design.weights?.name);
  const wayOut = isFeature ? wayOutWithout(names) : 'choose other columns';
  return new ArgumentError(
    `${listed(names)} ${names.length === 1 ? 'has' : 'have'} no value that can be used in any of the ${tally.read} rows read, so that none counts; ${wayOut}`,
  );
}

/** Columns without a value in most rows, where none is without one in all. */
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
  );
}
