import { requireInteger } from '../math/check.ts';
import { rowsBetween } from './sampleBatch.ts';
import type { Samples } from './samples.ts';

/** The rows from one place to before another; what comes after them is not read. */
export function rowRange(samples: Samples, start: number, end: number = samples.rows): Samples {
  requireInteger('start', start, 0, samples.rows);
  requireInteger('end', end, start, samples.rows);
  if (start === 0 && end === samples.rows) return samples;
  return {
    ...samples,
    rows: end - start,
    async *batches() {
      let first = 0;
      for await (const batch of samples.batches()) {
        const within = (place: number): number => Math.max(0, Math.min(batch.rows, place - first));
        const [from, to] = [within(start), within(end)];
        if (from < to) yield rowsBetween(batch, from, to);
        first += batch.rows;
        // Where nothing follows, whoever watches the source sees it end.
        if (first >= end && end < samples.rows) return;
      }
    },
  };
}
