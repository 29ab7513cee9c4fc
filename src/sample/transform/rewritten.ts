import { type Arena, columnArena, spares } from '../arena.ts';
import { requireBatch, type SampleBatch } from '../sampleBatch.ts';
import type { Samples } from '../samples.ts';
import { asLimited } from './perUnit.ts';

/**
 * The same rows as transformed by `write`, weights included: batch by batch, into memory that kernels read in place and
 * that the next pass reuses.
 */
export function rewritten(
  samples: Samples,
  write: (from: SampleBatch, to: Required<Omit<SampleBatch, 'endsChunk'>>) => void,
): Samples {
  const arenaFor = (rows: number): Arena =>
    columnArena({ features: samples.features, capacity: rows, slots: 1, weights: true });
  const arenas = spares(() => arenaFor(1));
  const made: Samples = {
    rows: samples.rows,
    features: samples.features,
    weighted: true,
    hasTarget: samples.hasTarget,
    async *batches() {
      let arena = arenas.take();
      try {
        for await (const batch of samples.batches()) {
          requireBatch(batch, samples.features);
          if (arena.capacity < batch.rows) arena = arenaFor(batch.rows);
          const { columns, target, weights } = arena.slots[0]!;
          const cut = (column: Float64Array): Float64Array => column.subarray(0, batch.rows);
          const own = {
            rows: batch.rows,
            columns: columns.map(cut),
            target: cut(target),
            weights: cut(weights),
          };
          write(batch, own);
          yield own;
        }
      } finally {
        arenas.give(arena);
      }
    },
  };
  return asLimited(made, samples);
}

/**
 * Reduces the weights of rows longer than `rowLength` in proportion to their length. `constant` is the value of the
 * intercept's column: 1, or 0 if there is none.
 */
export function weighLongRows(
  { rows, columns, weights }: Required<Omit<SampleBatch, 'endsChunk'>>,
  rowLength: number,
  constant: number,
): void {
  for (let i = 0; i < rows; i++) {
    let squares = constant;
    for (const column of columns) squares += column[i]! ** 2;
    weights[i]! *= Math.min(1, rowLength / Math.sqrt(squares));
  }
}
