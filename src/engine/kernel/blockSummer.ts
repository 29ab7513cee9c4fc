import { requireVector } from '../../errors.ts';
import type { Vector } from '../../math/vector.ts';
import type { Loss } from '../../method/loss/loss.ts';
import type { BlockSums } from '../../sample/gradientSums.ts';
import { requireBatch, type SampleBatch } from '../../sample/sampleBatch.ts';
import { TILE_ROWS, tilesOf } from './tiles.ts';

/** Adds up the gradients of rows, block by block. */
export interface BlockSummer {
  /** Adds the batch's rows in order and returns how many it used: rows after the last block are left over. */
  add(batch: SampleBatch): number;
  /** The sums, once every block is full. */
  finish(): BlockSums<'raw'>;
}

/** The sums to compute: of the loss's gradients at `at`, over `blocks` blocks of `rowsPerBlock` rows each. */
export interface BlockRequest {
  /** The loss whose gradients are summed. */
  readonly loss: Loss;
  /** The point at which they are taken. */
  readonly at: Vector;
  /** The number of blocks. */
  readonly blocks: number;
  /** Consecutive rows that share a sum; rows beyond the last whole block are in none. */
  readonly rowsPerBlock: number;
  /** Whether the last coordinate of `at` is an intercept; false by default. */
  readonly intercept?: boolean;
}

/**
 * The reference kernel: for each block, the sum over its rows of weight * slope(x.theta, y) * x. An intercept is the
 * last coordinate of theta and of the sums, as if x ended in a 1.
 *
 * Sums run row by row within tiles of 1,024 rows, and tile by tile within a block. Tiles are delimited by a row's
 * position in its block, never by the end of a batch, so the bits of the sums do not depend on how the rows are
 * batched. Within a tile, scores are computed column by column, slopes once, then one dot product per column: every
 * value is read from memory once and used twice while it is in cache.
 */
export function blockSummer({ loss, at, blocks, rowsPerBlock, intercept = false }: BlockRequest): BlockSummer {
  const size = requireVector('at', at).length;
  const features = intercept ? size - 1 : size;
  const tiles = tilesOf(blocks, rowsPerBlock);
  const sums = new Float64Array(blocks * size);
  const tile = new Float64Array(size);
  const slopes = new Float64Array(TILE_ROWS);

  const addToTile = ({ columns, target, weights }: SampleBatch, start: number, count: number): void => {
    slopes.fill(intercept ? at[features]! : 0, 0, count);
    for (let j = 0; j < features; j++) {
      const column = columns[j]!;
      const coefficient = at[j]!;
      for (let i = 0; i < count; i++) slopes[i]! += column[start + i]! * coefficient;
    }
    for (let i = 0; i < count; i++) slopes[i] = loss.slope(slopes[i]!, target[start + i]!);
    if (weights !== undefined) for (let i = 0; i < count; i++) slopes[i]! *= weights[start + i]!;
    for (let j = 0; j < features; j++) {
      const column = columns[j]!;
      let sum = tile[j]!;
      for (let i = 0; i < count; i++) sum += slopes[i]! * column[start + i]!;
      tile[j] = sum;
    }
    if (intercept) for (let i = 0; i < count; i++) tile[features]! += slopes[i]!;
  };
  const closeTile = (block: number): void => {
    for (let j = 0; j < size; j++) sums[block * size + j]! += tile[j]!;
    tile.fill(0);
  };

  return {
    add(batch) {
      requireBatch(batch, features);
      return tiles.take(batch.rows, (start, count) => addToTile(batch, start, count), closeTile);
    },
    finish() {
      tiles.requireFull();
      return { sums, blocks, rowsPerBlock, privacy: 'raw' };
    },
  };
}

/** Summers of the same rows as one: in every block, the sums of the first stand before those of the next. */
export function together(summers: readonly BlockSummer[]): BlockSummer {
  const [first, ...others] = summers as readonly [BlockSummer, ...BlockSummer[]];
  if (others.length === 0) return first;
  return {
    add(batch) {
      for (const other of others) other.add(batch);
      return first.add(batch);
    },
    finish() {
      const found = summers.map(summer => summer.finish());
      const { blocks, rowsPerBlock, rest } = found[0]!;
      const joined = (partOf: (sums: BlockSums<'raw'>) => Float64Array): Float64Array =>
        Float64Array.from(found.flatMap(sums => [...partOf(sums)]));
      const blockOf = (block: number) => (one: BlockSums<'raw'>) => {
        const size = one.sums.length / blocks;
        return one.sums.subarray(block * size, (block + 1) * size);
      };
      const sums = Float64Array.from(Array.from({ length: blocks }, (_, block) => [...joined(blockOf(block))]).flat());
      return {
        sums,
        blocks,
        rowsPerBlock,
        privacy: 'raw',
        ...(rest && { rest: { sum: joined(one => one.rest!.sum), rows: rest.rows } }),
      };
    },
  };
}
