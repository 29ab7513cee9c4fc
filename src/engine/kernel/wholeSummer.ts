import { requireBatch, type SampleBatch } from '../../sample/sampleBatch.ts';
import type { BlockSummer } from './blockSummer.ts';
import { type Quantization, requireExact } from './integerSummer.ts';
import { tilesOf } from './tiles.ts';
import { wholeRows } from './wholeRows.ts';

export interface WholeRequest extends Pick<Quantization, 'grid' | 'squaredNorm'> {
  readonly features: number;
  readonly rows: number;
  /** The number of integers per row. */
  readonly numbers: number;
}

/**
 * A sum over all rows of integers with a bounded norm (`wholeRows.ts`, which states the guarantee), in one block.
 *
 * `write` stores the contribution of row i of a batch, in steps of the grid, in `values`.
 */
export function wholeSummer(
  { features, rows, numbers, grid, squaredNorm }: WholeRequest,
  write: (values: Float64Array, batch: SampleBatch, i: number) => void,
): BlockSummer {
  requireExact({ grid, squaredNorm, rowsPerBlock: rows });
  const sums = new Float64Array(numbers);
  const tiles = tilesOf(1, rows);
  const { values, addTo } = wholeRows(numbers, squaredNorm);
  return {
    add(batch) {
      requireBatch(batch, features);
      const addRows = (start: number, count: number): void => {
        for (let i = start; i < start + count; i++) {
          write(values, batch, i);
          addTo(sums);
        }
      };
      return tiles.take(batch.rows, addRows, () => {});
    },
    finish() {
      tiles.requireFull();
      return { sums, blocks: 1, rowsPerBlock: rows, privacy: 'raw', grid, squaredNorm };
    },
  };
}
