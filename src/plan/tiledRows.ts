/** Rows one tile after the other: where they lie if a tile can reach them there (riskTile.ts), otherwise as copies. */
import type { Vector } from '../math/vector.ts';
import { type RiskTile, residentTile, riskTile, TILE_ROWS } from './riskTile.ts';

export interface TiledRows {
  readonly tile: RiskTile;
  /** Every tile with its scores at theta: `count` rows from `start` on, which the tile itself knows as those from `first` on. */
  visit(theta: Vector, look: (start: number, count: number, first: number) => void): void;
}

export function tiledRows(columns: readonly Float64Array[], rows: number): TiledRows {
  const resident = residentTile(columns);
  const tile = resident?.tile ?? riskTile(columns.length);
  const firstOf = (start: number, count: number): number => {
    if (resident !== undefined) return resident.first + start;
    columns.forEach((column, j) => {
      tile.columns[j]!.set(column.subarray(start, start + count));
    });
    return 0;
  };
  return {
    tile,
    visit(theta, look) {
      tile.begin(theta);
      for (let start = 0; start < rows; start += TILE_ROWS) {
        const count = Math.min(TILE_ROWS, rows - start);
        const first = firstOf(start, count);
        tile.score(first, count);
        look(start, count, first);
      }
    },
  };
}
