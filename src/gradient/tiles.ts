/**
 * The tiles that sums run over: up to 1,024 rows each, cut by a row's place in its block. A batch is taken in runs of
 * rows of one tile, so where batches end leaves no mark on any sum.
 */
import { ArgumentError, requireInteger } from '../math/check.ts';

export const TILE_ROWS = 1024;

export interface Tiles {
  /**
   * Takes the next `rows` rows, as far as there are blocks for them: `run` for every run of rows of one tile, `close`
   * with its block when a tile is full. Returns how many rows were taken.
   */
  take(rows: number, run: (start: number, count: number) => void, close: (block: number) => void): number;
  requireFull(): void;
}

export function tilesOf(blocks: number, rowsPerBlock: number): Tiles {
  requireInteger('blocks', blocks, 1);
  requireInteger('rowsPerBlock', rowsPerBlock, 1);
  const total = blocks * rowsPerBlock;
  let seen = 0;
  return {
    take(rows, run, close) {
      const taken = Math.min(rows, total - seen);
      for (let start = 0; start < taken; ) {
        const inBlock = seen % rowsPerBlock;
        const tileEnd = Math.min(rowsPerBlock, inBlock - (inBlock % TILE_ROWS) + TILE_ROWS);
        const count = Math.min(taken - start, tileEnd - inBlock);
        run(start, count);
        if (inBlock + count === tileEnd) close(Math.floor(seen / rowsPerBlock));
        seen += count;
        start += count;
      }
      return taken;
    },
    requireFull() {
      if (seen < total) {
        throw new ArgumentError(`${blocks} blocks of ${rowsPerBlock} rows need ${total} rows, got ${seen}`);
      }
    },
  };
}
