import type { SampleBatch } from '../sampleBatch.ts';
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
