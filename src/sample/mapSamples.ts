import type { SampleBatch } from './sampleBatch.ts';
import type { Samples } from './samples.ts';

/**
 * The same rows after `change`, batch by batch: a batch is borrowed, so its columns may be changed in place. Where it
 * has another number of them then, say how many.
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
