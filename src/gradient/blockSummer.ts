/**
 * The reference kernel: per block, the sum over its rows of slope(x.theta, y) * x.
 *
 * Sums run row by row within tiles of 1,024 rows, and tile by tile within a block. Tiles are cut by a row's place in its
 * block, never by where a batch happens to end, so any way of batching the same rows gives the same bits. Within a
 * tile scores are made column by column, slopes once, then one dot product per column: every value is read from memory
 * once and used twice while it is in cache.
 */

import type { Loss } from '../loss/loss.ts';
import { ArgumentError, requireInteger, requireLength, requireVector } from '../math/check.ts';
import type { Vector } from '../math/vector.ts';
import type { BlockSums } from '../sample/blockSums.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';

export const TILE_ROWS = 1024;

export interface BlockSummer {
  /** Takes the batch's rows in order, and says how many it used: rows past the last block are left over. */
  add(batch: SampleBatch): number;
  /** The sums, once every block is full. */
  finish(): BlockSums<'raw'>;
}

export function blockSummer({
  loss,
  at,
  blocks,
  rowsPerBlock,
}: {
  readonly loss: Loss;
  readonly at: Vector;
  readonly blocks: number;
  readonly rowsPerBlock: number;
}): BlockSummer {
  const features = requireVector('at', at).length;
  requireInteger('blocks', blocks, 1);
  requireInteger('rowsPerBlock', rowsPerBlock, 1);
  const rows = blocks * rowsPerBlock;
  const sums = new Float64Array(blocks * features);
  const tile = new Float64Array(features);
  const slopes = new Float64Array(TILE_ROWS);
  let seen = 0;

  const addToTile = ({ columns, target }: SampleBatch, start: number, count: number): void => {
    slopes.fill(0, 0, count);
    for (let j = 0; j < features; j++) {
      const column = columns[j]!;
      const coefficient = at[j]!;
      for (let i = 0; i < count; i++) slopes[i]! += column[start + i]! * coefficient;
    }
    for (let i = 0; i < count; i++) slopes[i] = loss.slope(slopes[i]!, target[start + i]!);
    for (let j = 0; j < features; j++) {
      const column = columns[j]!;
      let sum = tile[j]!;
      for (let i = 0; i < count; i++) sum += slopes[i]! * column[start + i]!;
      tile[j] = sum;
    }
  };
  const closeTile = (block: number): void => {
    for (let j = 0; j < features; j++) sums[block * features + j]! += tile[j]!;
    tile.fill(0);
  };

  return {
    add(batch) {
      requireLength('batch.columns', batch.columns, features);
      const used = Math.min(batch.rows, rows - seen);
      let start = 0;
      while (start < used) {
        const inBlock = seen % rowsPerBlock;
        const tileEnd = Math.min(rowsPerBlock, inBlock - (inBlock % TILE_ROWS) + TILE_ROWS);
        const count = Math.min(used - start, tileEnd - inBlock);
        addToTile(batch, start, count);
        if (inBlock + count === tileEnd) closeTile(Math.floor(seen / rowsPerBlock));
        seen += count;
        start += count;
      }
      return used;
    },
    finish() {
      if (seen < rows)
        throw new ArgumentError(`${blocks} blocks of ${rowsPerBlock} rows need ${rows} rows, got ${seen}`);
      return { sums, blocks, rowsPerBlock, privacy: 'raw' };
    },
  };
}
