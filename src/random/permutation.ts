/**
 * A permutation of row indices, kept as a key instead of a table: row -> place is computed, so shuffling n rows takes
 * no memory.
 *
 * Four rounds of a Feistel network on the least even number of bits that covers n, walked until the value falls below
 * n: a bijection of 0 .. n-1 whatever the round function is. The rounds mix with the constants of murmur3's finaliser.
 */
import { requireInteger } from '../math/check.ts';
import type { Random } from './random.ts';

/** 2^52 rows would need 26-bit halves; the products below stay exact integers up to there. */
const LARGEST_SIZE = 2 ** 52;

/** All that a permutation is. */
export interface PermutationKey {
  readonly size: number;
  /** Bits of each half of the network. */
  readonly halfBits: number;
  /** One a round. */
  readonly words: readonly [number, number, number, number];
}

export function permutationKey(size: number, random: Random): PermutationKey {
  requireInteger('size', size, 1, LARGEST_SIZE);
  const halfBits = Math.max(1, Math.ceil(Math.log2(size) / 2));
  return { size, halfBits, words: [random.word(), random.word(), random.word(), random.word()] };
}

export function permutation(size: number, random: Random): (index: number) => number {
  const { halfBits, words } = permutationKey(size, random);
  const half = 2 ** halfBits;
  const mask = half - 1;
  const [k0, k1, k2, k3] = words;
  return index => {
    let value = index;
    do {
      let left = Math.floor(value / half);
      let right = value - left * half;
      left ^= mix(right, k0) & mask;
      right ^= mix(left, k1) & mask;
      left ^= mix(right, k2) & mask;
      right ^= mix(left, k3) & mask;
      value = left * half + right;
    } while (value >= size);
    return value;
  };
}

function mix(value: number, key: number): number {
  let hash = Math.imul(value ^ key, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
