/** Visits rows tile by tile: in place if they are in a tile's memory (riskTile.ts), otherwise as copies. */
import { type RiskTile, residentTile, riskTile, TILE_ROWS } from './riskTile.ts';

export interface TiledRows {
  readonly tile: RiskTile;
  /** Visits `count` rows from `start` on, which the tile has from its row `first` on. */
  visit(look: (start: number, count: number, first: number) => void): void;
}

export function tiledRows(columns: readonly Float64Array[], rows: number): TiledRows {
  const resident = residentTile(columns);
  const tile = resident?.tile ?? spareTile(columns.length);
  const firstOf = (start: number, count: number): number => {
    if (resident !== undefined) return resident.first + start;
    columns.forEach((column, j) => {
      tile.columns[j]!.set(column.subarray(start, start + count));
    });
    return 0;
  };
  return {
    tile,
    visit(look) {
      for (let start = 0; start < rows; start += TILE_ROWS) {
        const count = Math.min(TILE_ROWS, rows - start);
        look(start, count, firstOf(start, count));
      }
    },
  };
}

/** The last one is reused: only its sums outlast a visit, and no other user touches these before they are read. */
function spareTile(features: number): RiskTile {
  if (spare?.columns.length !== features) spare = riskTile(features);
  return spare;
}

let spare: RiskTile | undefined;
