import type { PrivatePlan } from '../../plan/private/planPrivate.ts';
import type { BlockSums } from '../../sample/gradientSums.ts';
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

/** The limits of the plan: records per unit, releases that a record enters, and the squared movement of one release. */
export function limitsOf({ plan, noise, moments }: PrivatePlan): {
  group: number;
  touches: number;
  most: bigint;
} {
  const { group, squaredNorm } = noise;
  const touches = (plan.mode === 'full' ? plan.steps.length : 1) + (moments === null ? 0 : 2);
  return { group, touches, most: 4n * BigInt(group) ** 2n * BigInt(squaredNorm) };
}

/** Relative tolerance between products of integers and quotients of doubles. */
export const ROUNDING = 1e-9;
