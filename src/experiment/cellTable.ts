import { figureCells } from './figureCells.ts';
import type { Point } from './point.ts';

/** Median and quartiles of every series and x over the seeds, as lines of text. */
export function cellTable(seeds: readonly (readonly Point[])[]): string {
  const cells = figureCells(seeds);
  const width = Math.max(...cells.map(({ series }) => series.length));
  return cells
    .map(({ series, x, median, q25, q75 }) => {
      const numbers = [median, q25, q75].map(value => value.toFixed(4).padStart(9));
      return [series.padEnd(width), String(x).padStart(7), ...numbers].join(' ');
    })
    .join('\n');
}
