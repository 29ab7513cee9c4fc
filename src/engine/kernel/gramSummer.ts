import { ArgumentError, requireInteger, requireVector } from '../../errors.ts';
import type { Vector } from '../../math/vector.ts';
import type { BlockSums } from '../../sample/gradientSums.ts';
import { requireBatch, rowsBetween, type SampleBatch } from '../../sample/sampleBatch.ts';
import { cellGrams, cellGramsFit } from './cellGrams.ts';

export interface GramRequest {
  /** The number of coordinates of theta, including an intercept. */
  readonly size: number;
  readonly intercept: boolean;
  readonly blocks: number;
  readonly rowsPerBlock: number;
  /** The number of rows after the last block that are used too; 0 by default. */
  readonly rest?: number;
}

export interface GramSummer {
  /**
   * Adds the batch's rows in order and returns how many it used: rows after the last block and the rest are left over.
   */
  add(batch: SampleBatch): number;
  /** The block sums at `at`, after every block is full. */
  sumsAt(at: Vector): BlockSums<'raw'>;
}

/** Whether the moments fit in memory. */
export const gramFits = ({ size, intercept, blocks }: Pick<GramRequest, 'size' | 'intercept' | 'blocks'>): boolean =>
  cellGramsFit({ size, intercept, cells: blocks + 1 });

/**
 * Blocks of consecutive rows by their moments: one pass, then the block sums of the squared loss at any theta. Pays off
 * from the third step over the same rows on.
 */
export function gramSummer({ size, intercept, blocks, rowsPerBlock, rest = 0 }: GramRequest): GramSummer {
  requireInteger('size', size, 1);
  requireInteger('rowsPerBlock', rowsPerBlock, 1);
  const features = intercept ? size - 1 : size;
  // The rest uses the cell after those of the blocks.
  const grams = cellGrams({ features, cells: blocks + 1 });
  const rows = blocks * rowsPerBlock + rest;
  let seen = 0;
  return {
    add(batch) {
      const used = Math.min(requireBatch(batch, features).rows, rows - seen);
      const block = new Uint32Array(used);
      for (let i = 0; i < used; i++) block[i] = Math.min(blocks, Math.floor((seen + i) / rowsPerBlock));
      grams.add(rowsBetween(batch, 0, used), block);
      seen += used;
      return used;
    },
    sumsAt(at) {
      requireVector('at', at, size);
      if (seen < rows)
        throw new ArgumentError(
          `${blocks} blocks of ${rowsPerBlock} rows${rest > 0 ? ` and ${rest} more` : ''} need ${rows} rows, got ${seen}`,
          'ERR_TOO_FEW_ROWS',
          { rows: seen, needed: rows },
        );
      return {
        sums: grams.sumsAt(at, 0, blocks),
        blocks,
        rowsPerBlock,
        privacy: 'raw',
        ...(rest > 0 && { rest: { sum: grams.sumsAt(at, blocks, 1), rows: rest } }),
      };
    },
  };
}
