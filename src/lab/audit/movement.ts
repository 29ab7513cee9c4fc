import type { BlockSums } from '../../sample/blockSums.ts';
import type { Observation } from './observe.ts';

export interface Movement {
  /** Per release, the differences of its sums. */
  readonly differences: readonly Float64Array[];
  /** Their exact squared norms. */
  readonly squares: readonly bigint[];
  /** Blocks of releases that moved at all. */
  readonly cells: number;
}

/**
 * The distance between two runs' sums before noise, per release, in grid steps.
 *
 * For runs that made the same releases.
 */
export function movement(from: Observation, to: Observation): Movement {
  let cells = 0;
  const squares: bigint[] = [];
  const differences = from.sums.map((own, index) => {
    const difference = to.sums[index]!.sums.map((sum, k) => sum - own.sums[k]!);
    cells += movedBlocks(own, difference);
    squares.push(squaredNorm(difference));
    return difference;
  });
  return { differences, squares, cells };
}

function movedBlocks({ blocks }: BlockSums, difference: Float64Array): number {
  const size = difference.length / blocks;
  let moved = 0;
  for (let block = 0; block < blocks; block++) {
    if (difference.subarray(block * size, (block + 1) * size).some(value => value !== 0)) moved++;
  }
  return moved;
}

/** Exact for integers; others are rounded up, because no norm check applied to them. */
function squaredNorm(values: Float64Array): bigint {
  let sum = 0n;
  for (const value of values) if (value !== 0) sum += BigInt(Math.ceil(Math.abs(value))) ** 2n;
  return sum;
}

/** The norm, from its square. */
export const lengthOf = (square: bigint): number => Math.sqrt(Number(square));
