import { ArgumentError } from '../../errors.ts';
import { requireBatch, type SampleBatch } from '../sampleBatch.ts';
import type { Samples } from '../samples.ts';

/**
 * Rejects a batch, after `read` rows, that does not match its source's declaration: other columns, more rows, or
 * weights although it should have none. Code that stores rows has no room for the excess, and rows of weight 0 would be
 * used.
 */
export function requireDeclared(
  batch: SampleBatch,
  { rows, features, weighted }: Pick<Samples, 'rows' | 'features' | 'weighted'>,
  read: number,
): void {
  requireBatch(batch, features);
  if (read + batch.rows > rows) {
    throw new ArgumentError(
      `the batches must have at most ${rows} rows in all, got more; set samples.rows to the true number`,
    );
  }
  if (batch.weights === undefined || weighted) return;
  throw new ArgumentError(
    'batches must have no weights if samples.weighted is false, got some; set weighted: true',
  );
}
