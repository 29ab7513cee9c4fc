/**
 * Second moments of rows as sums of whole numbers: for u = (x, 1), the sum over all rows of w u u' on a grid, held to a norm (`wholeRows.ts`, which has the guarantee).
 *
 *   w = min(1, (R/||u||)^2), and 0 for rows that weigh nothing;   R -> rowLength
 *
 * The upper triangle of u u' is summed, row by row, with sqrt(2) times what stands twice in the whole: so it has the norm of the whole, which is ||u||^2, and
 * w ||u||^2 is at most R^2. The 1 at the end counts the weights, and gives the means.
 */
import { requireBatch, type SampleBatch } from '../sample/sampleBatch.ts';
import { triangleLength } from '../sample/whitening.ts';
import type { BlockSummer } from './blockSummer.ts';
import { type Quantization, requireExact } from './integerSummer.ts';
import { tilesOf } from './tiles.ts';
import { wholeRows } from './wholeRows.ts';

export interface MomentRequest extends Pick<Quantization, 'grid' | 'squaredNorm'> {
  readonly features: number;
  readonly rows: number;
  readonly rowLength: number;
}

export function momentSummer({ features, rows, rowLength, grid, squaredNorm }: MomentRequest): BlockSummer {
  requireExact({ grid, squaredNorm, rowsPerBlock: rows });
  const sums = new Float64Array(triangleLength(features + 1));
  const tiles = tilesOf(1, rows);
  const { values, addTo } = wholeRows(sums.length, squaredNorm);
  const own = new Float64Array(features + 1).fill(1);

  const addRow = ({ columns, weights }: SampleBatch, i: number): void => {
    let squares = 1;
    for (let j = 0; j < features; j++) {
      own[j] = columns[j]![i]!;
      squares += own[j]! * own[j]!;
    }
    const counts = weights === undefined || weights[i]! > 0;
    const factor = counts ? Math.min(1, rowLength ** 2 / squares) / grid : 0;
    let place = 0;
    for (let a = 0; a <= features; a++) {
      const single = factor * own[a]!;
      const twice = Math.SQRT2 * single;
      values[place++] = single * own[a]!;
      for (let b = a + 1; b <= features; b++) values[place++] = twice * own[b]!;
    }
    addTo(sums);
  };

  return {
    add(batch) {
      requireBatch(batch, features);
      const addRows = (start: number, count: number): void => {
        for (let i = start; i < start + count; i++) addRow(batch, i);
      };
      return tiles.take(batch.rows, addRows, () => {});
    },
    finish() {
      tiles.requireFull();
      return { sums, blocks: 1, rowsPerBlock: rows, privacy: 'raw', grid, squaredNorm };
    },
  };
}
