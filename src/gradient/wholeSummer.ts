/**
 * A sum over all rows of whole numbers that are held to a norm (`wholeRows.ts`, which has the guarantee), in one block.
 */
import { requireBatch, type SampleBatch } from '../sample/sampleBatch.ts';
import type { BlockSummer } from './blockSummer.ts';
import { type Quantization, requireExact } from './integerSummer.ts';
import { tilesOf } from './tiles.ts';
import { wholeRows } from './wholeRows.ts';

export interface WholeRequest extends Pick<Quantization, 'grid' | 'squaredNorm'> {
  readonly features: number;
  readonly rows: number;
  /** How many numbers there are of a row. */
  readonly numbers: number;
}

/** `write` puts what row i of a batch adds, in steps of the grid, into `values`. */
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
