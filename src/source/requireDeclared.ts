import { ArgumentError } from '../math/check.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import type { Samples } from '../sample/samples.ts';

/**
 * Refuses weights in rows that are said to have none: whoever keeps rows has no room for them, and rows of weight 0
 * would count.
 */
export function requireDeclared({ weights }: SampleBatch, { weighted }: Pick<Samples, 'weighted'>): void {
  if (weights === undefined || weighted) return;
  throw new ArgumentError(
    'batches must have no weights where samples.weighted is false, got some; say weighted: true',
  );
}
