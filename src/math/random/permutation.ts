import { requireInteger } from '../../errors.ts';
import type { Random } from './random.ts';

/** At 2^52 rows the halves have 26 bits; up to there the products below are exact integers. */
const LARGEST_SIZE = 2 ** 52;

/** The complete description of a permutation. */
export interface PermutationKey {
  readonly size: number;
  /** The number of bits in each half of the network. */
  readonly halfBits: number;
  /** One word per round. */
  readonly words: readonly [number, number, number, number];
}

export function permutationKey(size: number, random: Random): PermutationKey {
  requireInteger('size', size, 1, LARGEST_SIZE);
  const halfBits = Math.max(1, Math.ceil(Math.log2(size) / 2));
  return { size, halfBits, words: [random.word(), random.word(), random.word(), random.word()] };
}

/**
 * A permutation of row indices, stored as a key instead of a table: the new position of a row is computed, so shuffling
 * n rows takes no memory.
 *
 * Four rounds of a Feistel network on the smallest even number of bits that covers n, iterated until the value falls
 * below n (cycle walking). This is a bijection of 0 .. n-1 for any round function. The rounds mix with the constants of
 * murmur3's finaliser.
 */
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
