import { studentTail } from '../../fit/index.ts';
import type { Model } from '../../index.ts';
import { INTERCEPT } from '../../source/index.ts';
import { atPoint, type Column, print, shownAlone, toDecimalsOf, UNKNOWN } from './numberTable.ts';
import { significant, visible } from './text.ts';

export interface FitTableOptions {
  /** Degrees of freedom of Student's t by place, the intercept's last; without them errors are normal. */
  readonly degrees?: ArrayLike<number> | undefined;
  /** In columns of a terminal; unlimited unless given. */
  readonly width?: number;
}

/**
 * The coefficients as the table that statisticians know: estimate, standard error, t or z, p and interval, numbers
 * aligned at their decimal points. Where the table would be wider than `width`, long names are shortened; then columns
 * that follow from others are left out: the test statistic, then the standard error, then p, and at last the interval.
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
  if (uncertainty === undefined) return print([[names, estimates]], width);
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
    [names, estimates],
  ];
  return print(forms, width);
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

/** Below this, a p-value says more about the far tail of the distribution than about the data. */
const LEAST_CHANCE = 1e-16;

const chanceText = (p: number): string =>
  p < LEAST_CHANCE ? `<${LEAST_CHANCE}` : p < 0.001 ? p.toExponential(1) : p.toFixed(3);
