import { requireInteger } from '../math/check.ts';
import { rowsBetween } from './sampleBatch.ts';
import type { Samples } from './samples.ts';

/** The same rows without the first `count`. */
export function skipRows(samples: Samples, count: number): Samples {
  requireInteger('count', count, 0, samples.rows);
  return {
    ...samples,
    rows: samples.rows - count,
    async *batches() {
      let first = 0;
      for await (const batch of samples.batches()) {
        const from = Math.max(0, Math.min(batch.rows, count - first));
        first += batch.rows;
        if (from < batch.rows) yield rowsBetween(batch, from, batch.rows);
      }
    },
  };
}
