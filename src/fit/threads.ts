import { availableParallelism } from 'node:os';
import { requireInteger } from '../errors.ts';
import { MOST_THREADS } from '../sample/kernelRegion.ts';
import type { Samples } from '../sample/samples.ts';

/** Values below which a fit ends before a second thread has started, which takes some 30 ms. */
const FEW_VALUES = 2 ** 20;

/** Threads for a run over these rows. */
export function threadsFor({ rows, features }: Pick<Samples, 'rows' | 'features'>, asked?: number): number {
  if (asked !== undefined) return requireInteger('threads', asked, 1, MOST_THREADS);
  return rows * features < FEW_VALUES ? 1 : Math.min(availableParallelism(), MOST_THREADS);
}
