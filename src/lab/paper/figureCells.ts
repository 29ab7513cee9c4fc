import type { Point } from './figure.ts';

/** A point of a curve: median and quartiles over the seeds. */
export interface FigureCell {
  readonly reading: string;
  readonly series: string;
  readonly x: number;
  readonly median: number;
  readonly q25: number;
  readonly q75: number;
  readonly seeds: number;
}

/** The points of all seeds as cells, in the order of the first seed's. */
export function figureCells(seeds: readonly (readonly Point[])[]): FigureCell[] {
  const samples = new Map<string, { readonly point: Point; readonly values: number[] }>();
  for (const point of seeds.flat()) {
    const key = JSON.stringify([point.reading, point.series, point.x]);
    const sample = samples.get(key) ?? { point, values: [] };
    // A run that overflowed is worse than any other.
    sample.values.push(Number.isNaN(point.value) ? Infinity : point.value);
    samples.set(key, sample);
  }
  return [...samples.values()].map(({ point: { reading, series, x }, values }) => {
    const sorted = values.toSorted((a, b) => a - b);
    return {
      reading,
      series,
      x,
      median: quantile(sorted, 1 / 2),
      q25: quantile(sorted, 1 / 4),
      q75: quantile(sorted, 3 / 4),
      seeds: values.length,
    };
  });
}

/** Interpolated linearly between the two nearest values, the default of numpy and R. */
export function quantile(sorted: readonly number[], share: number): number {
  const place = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
  return low === high ? low : low + (place - Math.floor(place)) * (high - low);
}

/** What the first columns are, and what the numbers are of. */
export interface CellHeads {
  readonly series: string;
  readonly x: string;
  readonly value: string;
}

/** Median and quartiles of every series and x over the seeds, as lines of text, below one that says what they are. */
export function cellTable(seeds: readonly (readonly Point[])[], heads: CellHeads): string {
  const cells = figureCells(seeds);
  const width = Math.max(...cells.map(({ series }) => series.length));
  const lines = cells.map(({ series, x, median, q25, q75 }) => {
    const numbers = [median, q25, q75].map(value => value.toFixed(4).padStart(9));
    return [series.padEnd(width), String(x).padStart(7), ...numbers].join(' ');
  });
  const head = `${heads.series}, ${heads.x}; median and quartiles of ${heads.value} over ${seeds.length} ${seeds.length === 1 ? 'seed' : 'seeds'}`;
  return [head, ...lines].join('\n');
}
