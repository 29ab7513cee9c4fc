import { ArgumentError, requireInteger } from '../../errors.ts';

export const TILE_ROWS = 1024;

/**
 * The tiles that sums run over: up to 1,024 rows each, delimited by a row's position in its block. A batch is processed
 * in runs of rows within one tile, so batch boundaries do not affect any sum.
 */
export function tilesOf(blocks: number, rowsPerBlock: number) {
  requireInteger('blocks', blocks, 1);
  requireInteger('rowsPerBlock', rowsPerBlock, 1);
  const total = blocks * rowsPerBlock;
  let seen = 0;
  return {
    /**
     * Takes the next `rows` rows, as far as there are blocks for them. Calls `run` for every run of rows within one tile,
     * and `close` with the block when a tile is full. Returns how many rows were taken.
     */
    take(rows: number, run: (start: number, count: number) => void, close: (block: number) => void): number {
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
    requireFull(): void {
      if (seen < total) {
        throw new ArgumentError(
          `${blocks} blocks of ${rowsPerBlock} rows need ${total} rows, got ${seen}`,
          'ERR_TOO_FEW_ROWS',
          { rows: seen, needed: total },
        );
      }
    },
  };
}
