import type { SampleBatch } from '../../src/sample/sampleBatch.ts';
import type { Samples } from '../../src/sample/samples.ts';

export interface LabelledSamples extends Samples {
  /** How many passes are under way. */
  readonly open: () => number;
  /** How many batches were handed out so far. */
  readonly pulled: () => number;
}

/**
 * Rows whose only feature and whose target are their own index, in batches of the given sizes, in memory that is used
 * again.
 */
export function labelledSamples(batchSizes: readonly number[], failAt = Infinity): LabelledSamples {
  const rows = batchSizes.reduce((sum, size) => sum + size, 0);
  let open = 0;
  let pulled = 0;
  return {
    rows,
    features: 1,
    weighted: false,
    open: () => open,
    pulled: () => pulled,
    async *batches(): AsyncGenerator<SampleBatch> {
      open++;
      const memory = new Float64Array(Math.max(...batchSizes));
      try {
        let first = 0;
        for (const size of batchSizes) {
          if (first >= failAt) throw new Error('the disk is gone');
          const column = memory.subarray(0, size).map((_, i) => first + i);
          pulled++;
          yield { rows: size, columns: [column], target: column };
          column.fill(NaN);
          first += size;
        }
      } finally {
        open--;
      }
    },
  };
}

/** The labels of the rows that a chunk yields. */
export async function labelsOf(batches: AsyncIterable<SampleBatch>): Promise<number[]> {
  const labels: number[] = [];
  for await (const batch of batches) labels.push(...batch.target);
  return labels;
}
