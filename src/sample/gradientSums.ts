import { ArgumentError, refuse, requireInteger } from '../errors.ts';
import type { Vector } from '../math/vector.ts';

/** Whether a value still depends on rows without noise (`raw`) or has passed through a mechanism (`released`). */
export type Privacy = 'raw' | 'released';

/**
 * What one step computes from the data: for each block, the sum of its rows' gradients. All blocks have the same number
 * of rows; `sums` is row-major, block by feature.
 */
export interface BlockSums<P extends Privacy = Privacy> {
  readonly sums: Float64Array;
  readonly blocks: number;
  readonly rowsPerBlock: number;
  readonly privacy: P;
  /** If given, the sums are integers that count steps of this grid, and only a mechanism for that grid can use them. */
  readonly grid?: number;
  /** With a grid: the bound enforced on the squared norm of every row's gradient, in steps. */
  readonly squaredNorm?: number;
  /**
   * With a grid: the most that one replaced row moves a block's sum, squared and in steps; 4 squaredNorm unless given.
   * A histogram's row is longer than that suggests, since no two rows point in opposite directions.
   */
  readonly squaredShift?: number;
  /** The rows after the last full block, if the plan uses them. */
  readonly rest?: { readonly sum: Float64Array; readonly rows: number };
}

/** Rejects sums that count steps of a grid, because they are not gradients yet. */
export function requirePlain<S extends BlockSums>(sums: S): S {
  if (sums.grid === undefined) return sums;
  throw new ArgumentError(
    `the sums count steps of a grid of ${sums.grid}, which only a mechanism for that grid can use; perturb them first`,
    'ERR_CONFLICT',
    { grid: sums.grid },
  );
}

/** The number of features in plain sums: their length divided by the number of blocks, which must divide it. */
export function featuresOf(given: BlockSums): number {
  const { sums, blocks, rowsPerBlock } = requirePlain(given);
  requireInteger('blocks', blocks, 1);
  requireInteger('rowsPerBlock', rowsPerBlock, 1);
  const features = sums.length / blocks;
  if (features < 1 || !Number.isInteger(features))
    refuse('the length of sums', `be a multiple of blocks = ${blocks}`, sums.length);
  return features;
}

/** An estimate of the gradient of the risk, with the privacy tag of the data it was made from. */
export interface Gradient<P extends Privacy = Privacy> {
  readonly values: Vector;
  readonly privacy: P;
}
