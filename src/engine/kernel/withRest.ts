import { rowsBetween } from '../../sample/sampleBatch.ts';
import type { BlockRequest, BlockSummer } from './blockSummer.ts';

/**
 * A summer of blocks and of the `rest` rows after the last one, which do not fill a block but are part of a plain
 * average.
 */
export function withRest(
  kernel: (request: BlockRequest) => BlockSummer,
  request: BlockRequest,
  rest: number,
): BlockSummer {
  const full = kernel(request);
  if (rest === 0) return full;
  const past = kernel({ ...request, blocks: 1, rowsPerBlock: rest });
  return {
    add(batch) {
      const used = full.add(batch);
      return used === batch.rows ? used : used + past.add(rowsBetween(batch, used, batch.rows));
    },
    finish: () => ({ ...full.finish(), rest: { sum: past.finish().sums, rows: rest } }),
  };
}
