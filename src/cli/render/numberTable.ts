import { shortened } from './shortened.ts';
import { displayWidth } from './text.ts';

/** Tables of numbers for terminals: estimates to the digits of their errors, aligned at their decimal points. */

/**
 * Digits of an error. Its estimate and interval have as many decimals, unless they would have more than seven digits:
 * then they have the decimals of two digits of the error, so that an interval never looks as if it had no width.
 */
const ERROR_DIGITS = 3;
const LEAST_ERROR_DIGITS = 2;
const MOST_DIGITS = 7;

/** Digits that a double is sure to have. */
const DOUBLE_DIGITS = 15;

/** Beyond this many decimals most would be zeros, and powers of ten are easier to read. */
const MOST_DECIMALS = 9;

export function toDecimalsOf(estimate: number, error: number): (value: number) => string {
  const most = MOST_DIGITS - 1 - exponentOf(estimate);
  const shows = (digits: number): number => digits - 1 - exponentOf(error);
  const decimals = error > 0 ? Math.min(Math.max(most, shows(LEAST_ERROR_DIGITS)), shows(ERROR_DIGITS)) : most;
  if (decimals > MOST_DECIMALS || exponentOf(estimate) > MOST_DECIMALS)
    return value => shownAlone(value, decimals + exponentOf(value), DOUBLE_DIGITS);
  return value => (Number.isFinite(value) ? value.toFixed(Math.max(0, decimals)) : UNKNOWN);
}

/** With a power of ten where the number is very large or small. */
export function shownAlone(value: number, decimals = ERROR_DIGITS - 1, most = MOST_DIGITS): string {
  if (!Number.isFinite(value)) return UNKNOWN;
  const exponent = exponentOf(value);
  // Beside an estimate of 1e-200 even a zero would have two hundred decimals.
  const digits = Math.min((value === 0 ? MOST_DIGITS : most) - 1, decimals);
  return exponent < -6 || exponent > MOST_DECIMALS
    ? value.toExponential(Math.max(0, digits))
    : value.toFixed(Math.max(0, digits - exponent));
}

/** A model file has null where a number was infinite, and an exact fit has errors of 0. */
export const UNKNOWN = '-';

const exponentOf = (value: number): number =>
  value !== 0 && Number.isFinite(value) ? Math.floor(Math.log10(Math.abs(value))) : 0;

export interface Column {
  readonly title: string;
  readonly cells: readonly string[];
}

/** Padded so that decimal points stand below each other; whole numbers end before them. */
export function atPoint(cells: readonly string[]): readonly string[] {
  const points = cells.map(cell => (/\d/.test(cell) ? cell.search(/[.e]|$/) : 0));
  const before = Math.max(0, ...points);
  const padded = cells.map((cell, k) => (/\d/.test(cell) ? cell.padStart(cell.length + before - points[k]!) : cell));
  const whole = Math.max(0, ...padded.map(cell => cell.length));
  return padded.map(cell => (/\d/.test(cell) ? cell.padEnd(whole) : cell));
}

const columnWidth = ({ title, cells }: Column): number => Math.max(...[title, ...cells].map(displayWidth));

const GAP = '  ';

const widthOf = (columns: readonly Column[]): number =>
  columns.reduce((sum, column) => sum + GAP.length + columnWidth(column), 0);

/** Names give way to numbers down to this width, and to what a narrow terminal has left where that is less. */
const LEAST_NAME = 8;
const SHORTEST_NAME = 4;

/**
 * Names to the left, numbers to the right: the first of the forms that fits when long names are shortened, or the last
 * one.
 */
export function print(forms: readonly (readonly Column[])[], width: number): string {
  const roomOf = ([, ...numbers]: readonly Column[]): number => width - widthOf(numbers) - GAP.length;
  const fits = (form: readonly Column[]): boolean => roomOf(form) >= Math.min(LEAST_NAME, columnWidth(form[0]!));
  const form = forms.find(fits) ?? forms.at(-1)!;
  const [names, ...numbers] = form;
  const first = { title: '', cells: shortened(names!.cells, Math.max(SHORTEST_NAME, roomOf(form))) };
  const widths = numbers.map(columnWidth);
  const line = (read: (column: Column) => string): string => {
    const name = read(first) + ' '.repeat(columnWidth(first) - displayWidth(read(first)));
    return `${GAP}${name}${numbers.map((column, k) => GAP + read(column).padStart(widths[k]!)).join('')}`;
  };
  const lines = [line(({ title }) => title), ...first.cells.map((_, row) => line(({ cells }) => cells[row]!))];
  return lines.map(text => `${text.trimEnd()}\n`).join('');
}
