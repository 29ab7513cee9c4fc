import { figureCells } from './figureCells.ts';
import type { Point } from './point.ts';

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
