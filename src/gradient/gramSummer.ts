/**
 * The squared loss in one pass: per block, X'WX and X'Wy, from which the block's sum of gradients at any theta is (X'WX) theta - X'Wy.
 *
 * It pays from the third step over the same rows on. Sums run over the same tiles as the other kernels', so batches may be cut anywhere; against the reference
 * it agrees to rounding, not to the last bit, because it multiplies in another order.
 *
 *   X -> the features, and a column of ones for an intercept; W -> row weights
 */
import { requireInteger, requireVector } from '../math/check.ts';
import type { Vector } from '../math/vector.ts';
import type { BlockSums } from '../sample/blockSums.ts';
import { requireBatch, type SampleBatch } from '../sample/sampleBatch.ts';
import { TILE_ROWS, tilesOf } from './tiles.ts';

/** What the matrices of all blocks may take together, and the most coordinates for which they pay. */
export const LARGEST_GRAM_BYTES = 2 ** 26;
export const MOST_GRAM_COORDINATES = 33;

export interface GramRequest {
  /** Coordinates of theta, an intercept included. */
  readonly size: number;
  readonly intercept: boolean;
  readonly blocks: number;
  readonly rowsPerBlock: number;
}

export interface GramSummer {
  /** Takes the batch's rows in order, and says how many it used: rows past the last block are left over. */
  add(batch: SampleBatch): number;
  /** The block sums at `at`, once every block is full. */
  sumsAt(at: Vector): BlockSums<'raw'>;
}

/** Whether the matrices fit. */
export const gramFits = ({ size, blocks }: Pick<GramRequest, 'size' | 'blocks'>): boolean =>
  size <= MOST_GRAM_COORDINATES && 8 * blocks * size * (size + 1) <= LARGEST_GRAM_BYTES;

export function gramSummer({ size, intercept, blocks, rowsPerBlock }: GramRequest): GramSummer {
  requireInteger('size', size, 1);
  const features = intercept ? size - 1 : size;
  const tiles = tilesOf(blocks, rowsPerBlock);
  // Per block: the lower triangle of X'WX by rows, each row followed by its entry of X'Wy.
  const stride = (size * (size + 3)) / 2;
  const moments = new Float64Array(blocks * stride);
  const tile = new Float64Array(stride);
  const scaled = new Float64Array(TILE_ROWS);
  const ones = new Float64Array(TILE_ROWS).fill(1);

  const addToTile = ({ columns, target, weights }: SampleBatch, start: number, count: number): void => {
    const columnOf = (j: number): Float64Array =>
      j < features ? columns[j]!.subarray(start, start + count) : ones;
    const targets = target.subarray(start, start + count);
    let at = 0;
    for (let j = 0; j < size; j++) {
      const column = columnOf(j);
      for (let i = 0; i < count; i++)
        scaled[i] = column[i]! * (weights === undefined ? 1 : weights[start + i]!);
      for (let k = 0; k <= j; k++, at++) tile[at] = addDot(tile[at]!, scaled, columnOf(k), count);
      tile[at] = addDot(tile[at]!, scaled, targets, count);
      at++;
    }
  };
  const closeTile = (block: number): void => {
    for (let k = 0; k < stride; k++) moments[block * stride + k]! += tile[k]!;
    tile.fill(0);
  };

  return {
    add(batch) {
      requireBatch(batch, features);
      return tiles.take(batch.rows, (start, count) => addToTile(batch, start, count), closeTile);
    },
    sumsAt(at) {
      requireVector('at', at, size);
      tiles.requireFull();
      const sums = new Float64Array(blocks * size);
      for (let block = 0; block < blocks; block++) {
        let place = block * stride;
        for (let j = 0; j < size; j++) {
          for (let k = 0; k <= j; k++) {
            const moment = moments[place++]!;
            sums[block * size + j]! += moment * at[k]!;
            if (k < j) sums[block * size + k]! += moment * at[j]!;
          }
          sums[block * size + j]! -= moments[place++]!;
        }
      }
      return { sums, blocks, rowsPerBlock, privacy: 'raw' };
    },
  };
}

/** Goes on with a sum row by row, so that where a batch ends leaves no mark on it. */
function addDot(sum: number, a: Float64Array, b: Float64Array, count: number): number {
  let total = sum;
  for (let i = 0; i < count; i++) total += a[i]! * b[i]!;
  return total;
}
