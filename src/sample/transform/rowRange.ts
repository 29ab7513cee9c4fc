import { requireInteger } from '../../errors.ts';
import { rowsBetween } from '../sampleBatch.ts';
import type { Samples } from '../samples.ts';

/** The rows from `start` up to, but not including, `end`; the rows after them are not read. */
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
        // At the end of the source, let it finish, so that wrappers around it see a completed pass.
        if (first >= end && end < samples.rows) return;
      }
    },
  };
}
