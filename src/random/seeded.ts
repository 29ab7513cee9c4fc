import seedrandom from 'seedrandom';
import { refuse, requireFinite } from '../math/check.ts';
import type { Random } from './random.ts';

/**
 * Repeatable words, by Brent's xorgens (period near 2^4128). The label names what the words are for:
 * one seed then gives a run as many streams as it needs, and none of them shifts when another grows.
 */
export function seeded(seed: number | string, label: string): Random {
  if (typeof seed !== 'string') requireFinite('seed', seed);
  if (typeof label !== 'string' || label === '') refuse('label', 'be a non-empty string', label);
  // JSON keeps (1, '2x'), (12, 'x') and ('1', '2x') apart, which joining the two would not.
  const { int32 } = seedrandom.xor4096(JSON.stringify([seed, label]));
  return { isSecure: false, word: () => int32() >>> 0 };
}
