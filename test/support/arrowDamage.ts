/** Ways to damage a file: seeded, so that every run meets the same ones. */
import type { Random } from '../../src/math/random/random.ts';

export interface Damage {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The first and the last byte that may differ from the original, where the length has not changed. */
  readonly touched?: readonly [first: number, last: number];
}

type Damager = (bytes: Uint8Array, below: (bound: number) => number) => Damage;

export function damage(bytes: Uint8Array, random: Random): Damage {
  const below = (bound: number): number => random.word() % bound;
  return damagers[below(damagers.length)]!(bytes, below);
}

const damagers: readonly Damager[] = [
  (bytes, below) => {
    const at = below(bytes.length);
    return changed(bytes, `flip a bit of byte ${at}`, at, 1, part => {
      part[0]! ^= 1 << below(8);
    });
  },
  (bytes, below) => {
    const at = below(bytes.length);
    return changed(bytes, `another byte ${at}`, at, 1, part => {
      part[0] = below(256);
    });
  },
  (bytes, below) => {
    const at = 4 * below(bytes.length >> 2);
    const word = EXTREMES[below(EXTREMES.length)]!;
    return changed(bytes, `the word ${word} at ${at}`, at, 4, part => {
      new DataView(part.buffer, part.byteOffset).setInt32(0, word, true);
    });
  },
  (bytes, below) => {
    const [from, at, length] = [below(bytes.length), below(bytes.length), 1 + below(64)];
    return changed(bytes, `bytes from ${from} at ${at}`, at, length, part => {
      part.set(bytes.subarray(from, from + part.length));
    });
  },
  (bytes, below) => {
    const [at, length] = [below(bytes.length), 1 + below(64)];
    return changed(bytes, `zeros at ${at}`, at, length, part => part.fill(0));
  },
  (bytes, below) => {
    const length = below(bytes.length);
    return { name: `cut to ${length}`, bytes: bytes.slice(0, length) };
  },
  (bytes, below) => {
    const [at, length] = [below(bytes.length), 1 + below(64)];
    return {
      name: `without ${length} at ${at}`,
      bytes: Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]),
    };
  },
  (bytes, below) => {
    const [at, from, length] = [below(bytes.length), below(bytes.length), 1 + below(64)];
    const parts = [bytes.subarray(0, at), bytes.subarray(from, from + length), bytes.subarray(at)];
    return { name: `bytes from ${from} pushed in at ${at}`, bytes: Buffer.concat(parts) };
  },
];

const EXTREMES = [0, 1, -1, -2, 0x7fffffff, -0x80000000, 0x40000000, 0x10000, 0x01000000, 8, 64];

function changed(
  bytes: Uint8Array,
  name: string,
  at: number,
  length: number,
  change: (part: Uint8Array) => void,
): Damage {
  const copy = Uint8Array.from(bytes);
  const last = Math.min(at + length, copy.length) - 1;
  change(copy.subarray(at, last + 1));
  return { name, bytes: copy, touched: [at, last] };
}
