import { ArgumentError } from '../math/check.ts';
import { requireBatch, type SampleBatch } from '../sample/sampleBatch.ts';
import type { Samples } from '../sample/samples.ts';

/**
 * Refuses a batch behind `read` rows that is not as its source declares: of other columns, of more rows than there
 * should be, or with weights where it is said to have none. Whoever keeps rows has no room for them, and rows of weight
 * 0 would count.
 */
export function requireDeclared(
  batch: SampleBatch,
  { rows, features, weighted }: Pick<Samples, 'rows' | 'features' | 'weighted'>,
  read: number,
): void {
  requireBatch(batch, features);
  if (read + batch.rows > rows) {
    throw new ArgumentError(
      `the rows went on after ${rows}, which is how many there should be; say the right samples.rows`,
    );
  }
  if (batch.weights === undefined || weighted) return;
  throw new ArgumentError(
    'batches must have no weights where samples.weighted is false, got some; say weighted: true',
  );
}
