import { ArgumentError, refuse, requireInteger } from '../math/check.ts';
import type { Vector } from '../math/vector.ts';

/** Whether a value still depends on rows without noise (`raw`) or has passed a mechanism (`released`). */
export type Privacy = 'raw' | 'released';

/**
 * What one step asks of the data: per block, the sum of its rows' gradients. Blocks hold the same number
 * of rows; `sums` is row-major, block by feature.
 */
export interface BlockSums<P extends Privacy = Privacy> {
  readonly sums: Float64Array;
  readonly blocks: number;
  readonly rowsPerBlock: number;
  readonly privacy: P;
  /**
   * Where it is given, the sums are whole numbers that count steps of this grid: only a mechanism for it can use them.
   */
  readonly grid?: number;
  /** Beside a grid: the largest squared norm of one row's gradient, in steps, that every row was held to. */
  readonly squaredNorm?: number;
  /** The rows past the last block, too few for one of their own, where the plan counts them. */
  readonly rest?: { readonly sum: Float64Array; readonly rows: number };
}

/** Refuses sums that count steps of a grid, which are no gradients yet. */
export function requirePlain<S extends BlockSums>(sums: S): S {
  if (sums.grid === undefined) return sums;
  throw new ArgumentError(
    `the sums count steps of a grid of ${sums.grid}, which only a mechanism for that grid can use; perturb them first`,
  );
}

/** How many features plain sums have: their length over the blocks, which must divide it. */
export function featuresOf(given: BlockSums): number {
  const { sums, blocks, rowsPerBlock } = requirePlain(given);
  requireInteger('blocks', blocks, 1);
  requireInteger('rowsPerBlock', rowsPerBlock, 1);
  const features = sums.length / blocks;
  if (features < 1 || !Number.isInteger(features))
    refuse('the length of sums', `be a multiple of blocks = ${blocks}`, sums.length);
  return features;
}

/** An estimate of the risk's gradient; it keeps the tag of what it was made from. */
export interface Gradient<P extends Privacy = Privacy> {
  readonly values: Vector;
  readonly privacy: P;
}
