import { INTERCEPT } from '../../sample/samples.ts';
import { toDigits } from '../../words.ts';

export const rowsIn = (rows: number): string => `${rows} ${rows === 1 ? 'row' : 'rows'}`;

export const nameOf = (column: number, names: readonly string[]): string => names[column] ?? String(column);

export const quoted = (column: number, names: readonly string[]): string =>
  JSON.stringify(nameOf(column, names));

/** The same for a coefficient, the last of which may be an intercept. */
export const quotedCoefficient = (
  column: number,
  names: readonly string[],
  { intercept, features }: { readonly intercept: boolean; readonly features: number },
): string => (intercept && column === features ? JSON.stringify(INTERCEPT) : quoted(column, names));

export const digits = (value: number): string => toDigits(value, 3);

export const percent = (share: number): string => `${digits(100 * share)} %`;

/** Up to ten items, and the number of the others. */
export function listing(items: readonly string[], joint: 'and' | 'or' = 'and'): string {
  const shown = items.slice(0, MOST_LISTED);
  const more = items.length - shown.length;
  if (more > 0) return `${shown.join(', ')} ${joint} ${more} more`;
  return shown.length < 2 ? shown.join() : `${shown.slice(0, -1).join(', ')} ${joint} ${shown.at(-1)}`;
}

const MOST_LISTED = 10;

export const listingOf = (names: readonly string[], joint: 'and' | 'or' = 'and'): string =>
  listing(
    names.map(name => JSON.stringify(name)),
    joint,
  );

/** A loss with its parameter, as a caller writes it. */
export const tunedLoss = (name: string, parameter: number): string =>
  `\`loss: ${FACTORIES[name] ?? name}(${digits(parameter)})\``;

/** Losses whose factory has another name. */
const FACTORIES: Readonly<Record<string, string>> = {
  'pseudo-huber': 'pseudoHuber',
  'geman-mcclure': 'gemanMcClure',
};

/** A penalty shifts intervals together with the coefficients. */
export const ABOUT_PENALISED =
  'the intervals are about the penalised coefficients, and need not cover the unpenalised ones';
