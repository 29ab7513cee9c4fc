import type { BlockSums, Gradient, Privacy } from '../../sample/gradientSums.ts';

/** Turns block sums into one gradient. It is post-processing: the privacy tag passes through unchanged. */
export interface Aggregator {
  readonly name: string;
  /** Whether rows left over from the last full block are used too; false by default. */
  readonly countsRest?: boolean;
  aggregate<P extends Privacy>(sums: BlockSums<P>): Gradient<P>;
}
