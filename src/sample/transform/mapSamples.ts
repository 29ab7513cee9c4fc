import { requireInteger } from '../../errors.ts';
import { rowsBetween, type SampleBatch } from '../sampleBatch.ts';
import type { Samples } from '../samples.ts';

/**
 * The same rows after `change`, batch by batch. A batch is borrowed, so its columns may be changed in place. If
 * `change` alters the number of columns, give the new number as `features`.
 */
export function mapSamples(
  samples: Samples,
  change: (batch: SampleBatch) => SampleBatch,
  features = samples.features,
): Samples {
  return {
    ...samples,
    features,
    async *batches() {
      for await (const batch of samples.batches()) yield change(batch);
    },
  };
}

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
