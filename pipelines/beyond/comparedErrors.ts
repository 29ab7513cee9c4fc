import type { FigureCell } from '../../src/lab/paper/index.ts';

/** The errors of one of the paper's plans, of its changes, and of the default. */
export interface ComparedErrors {
  /** `figure, method and its settings`. */
  readonly series: string;
  readonly x: number;
  /** Medians over the seeds, by reading. */
  readonly errors: Readonly<Record<string, number>>;
}

/** In the order of the cells. */
export function comparedErrors(cells: readonly FigureCell[]): readonly ComparedErrors[] {
  const found = new Map<string, { series: string; x: number; errors: Record<string, number> }>();
  for (const { series, x, reading, median } of cells) {
    const key = `${series} at ${x}`;
    const row = found.get(key) ?? { series, x, errors: {} };
    row.errors[reading] = median;
    found.set(key, row);
  }
  return [...found.values()];
}

/** Rounded as on the page. */
export const asShown = (value: number): number => Number(value.toPrecision(3));
