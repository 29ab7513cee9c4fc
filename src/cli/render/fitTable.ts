import { studentTail } from '../../fit/index.ts';
import type { Model } from '../../index.ts';
import { INTERCEPT } from '../../source/index.ts';
import { displayWidth, significant, visible } from './text.ts';

export interface FitTableOptions {
  /** Degrees of freedom of Student's t by place, the intercept's last; without them errors are normal. */
  readonly degrees?: ArrayLike<number> | undefined;
  /** In columns of a terminal; unlimited unless given. */
  readonly width?: number;
}

/**
 * The coefficients as the table that statisticians know: estimate, standard error, t or z, p and interval, numbers
 * aligned at their decimal points. Where the table would be wider than `width`, columns that follow from others are left
 * out: the test statistic, then the standard error, then p. Names that are still too long are shortened.
 */
export function fitTable(model: Model, { degrees, width = Infinity }: FitTableOptions = {}): string {
  const { uncertainty } = model;
  const rows = rowsOf(model, degrees);
  const column = (title: string, read: (row: FitRow) => string): Column => ({
    title,
    cells: atPoint(rows.map(read)),
  });
  const names = { title: '', cells: rows.map(({ name }) => visible(name)) };
  const estimates = column('estimate', row => row.estimate);
  if (uncertainty === undefined) return print([names, estimates], width);
  const errors = column('std. error', row => row.error);
  const statistics = column(degrees === undefined ? 'z' : 't', row => row.statistic);
  const chances = { title: 'p', cells: rows.map(row => row.p) };
  const [lower, upper] = [column('', row => row.lower), column('', row => row.upper)];
  const intervals = {
    title: `${significant(100 * uncertainty.level)} % interval`,
    cells: rows.map((row, k) => (row.lower === '' ? '' : `${lower.cells[k]} .. ${upper.cells[k]}`)),
  };
  const forms = [
    [names, estimates, errors, statistics, chances, intervals],
    [names, estimates, errors, chances, intervals],
    [names, estimates, chances, intervals],
    [names, estimates, intervals],
  ];
  return print(forms.find(columns => widthOf(columns) <= width) ?? forms.at(-1)!, width);
}

type FitRow = Readonly<Record<'name' | 'estimate' | 'error' | 'statistic' | 'p' | 'lower' | 'upper', string>>;

function rowsOf(
  { features, coefficients, intercept, uncertainty }: Model,
  degrees: FitTableOptions['degrees'],
): readonly FitRow[] {
  const entries = features.map((name): readonly [string, number] => [name, coefficients[name]!]);
  if (intercept !== null) entries.push([INTERCEPT, intercept]);
  return entries.map(([name, value], place) => {
    // Own properties only: a feature may be called toString.
    if (uncertainty === undefined || !Object.hasOwn(uncertainty.intervals, name)) {
      const error = uncertainty === undefined ? '' : 'left out';
      return { name, estimate: significant(value), error, statistic: '', p: '', lower: '', upper: '' };
    }
    const error = uncertainty.errors[name]!;
    const [low, high] = uncertainty.intervals[name]!;
    const shown = toDecimalsOf(value, error);
    const ratio = value / error;
    return {
      name,
      estimate: shown(value),
      error: shownAlone(error),
      statistic: Math.abs(ratio) < 1e6 ? ratio.toFixed(2) : shownAlone(ratio),
      p: Number.isFinite(ratio) ? chanceText(studentTail(ratio, degrees?.[place])) : UNKNOWN,
      lower: shown(low),
      upper: shown(high),
    };
  });
}

/** Digits of an error. Its estimate and interval have as many decimals, unless they would have more than seven digits. */
const ERROR_DIGITS = 3;
const MOST_DIGITS = 7;

/** Beyond this many decimals most would be zeros, and powers of ten are easier to read. */
const MOST_DECIMALS = 9;

function toDecimalsOf(estimate: number, error: number): (value: number) => string {
  const most = MOST_DIGITS - 1 - exponentOf(estimate);
  const decimals = error > 0 ? Math.min(most, ERROR_DIGITS - 1 - exponentOf(error)) : most;
  if (decimals > MOST_DECIMALS || exponentOf(estimate) > MOST_DECIMALS)
    return value => shownAlone(value, decimals + exponentOf(value));
  return value => (Number.isFinite(value) ? value.toFixed(Math.max(0, decimals)) : UNKNOWN);
}

/** With a power of ten where the number is very large or small. */
function shownAlone(value: number, decimals = ERROR_DIGITS - 1): string {
  if (!Number.isFinite(value)) return UNKNOWN;
  const exponent = exponentOf(value);
  return exponent < -6 || exponent > MOST_DECIMALS
    ? value.toExponential(Math.min(MOST_DIGITS - 1, Math.max(0, decimals)))
    : value.toFixed(Math.max(0, decimals - exponent));
}

/** A model file has null where a number was infinite, and an exact fit has errors of 0. */
const UNKNOWN = '-';

/** Below this, a p-value says more about the far tail of the distribution than about the data. */
const LEAST_CHANCE = 1e-16;

const chanceText = (p: number): string =>
  p < LEAST_CHANCE ? `<${LEAST_CHANCE}` : p < 0.001 ? p.toExponential(1) : p.toFixed(3);

const exponentOf = (value: number): number =>
  value !== 0 && Number.isFinite(value) ? Math.floor(Math.log10(Math.abs(value))) : 0;

interface Column {
  readonly title: string;
  readonly cells: readonly string[];
}

/** Padded so that decimal points stand below each other; whole numbers end before them. */
function atPoint(cells: readonly string[]): readonly string[] {
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

const SHORTEST_NAME = 8;

/** Names to the left, numbers to the right. */
function print([names, ...numbers]: readonly Column[], width: number): string {
  const room = Math.max(SHORTEST_NAME, width - widthOf(numbers) - GAP.length);
  const first = { title: '', cells: names!.cells.map(name => shortened(name, room)) };
  const widths = numbers.map(columnWidth);
  const line = (read: (column: Column) => string): string => {
    const name = read(first) + ' '.repeat(columnWidth(first) - displayWidth(read(first)));
    return `${GAP}${name}${numbers.map((column, k) => GAP + read(column).padStart(widths[k]!)).join('')}`;
  };
  const lines = [line(({ title }) => title), ...first.cells.map((_, row) => line(({ cells }) => cells[row]!))];
  return lines.map(text => `${text.trimEnd()}\n`).join('');
}

function shortened(name: string, width: number): string {
  if (displayWidth(name) <= width) return name;
  const letters = Array.from(name);
  while (displayWidth(letters.join('')) >= width) letters.pop();
  return `${letters.join('')}…`;
}
