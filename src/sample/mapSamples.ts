import type { SampleBatch } from './sampleBatch.ts';
import type { Samples } from './samples.ts';

/** The same rows after `change`, batch by batch: a batch is borrowed, so its columns may be changed in place. */
export function mapSamples(samples: Samples, change: (batch: SampleBatch) => SampleBatch): Samples {
  return {
    ...samples,
    async *batches() {
      for await (const batch of samples.batches()) yield change(batch);
    },
  };
}
