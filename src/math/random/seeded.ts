import seedrandom from 'seedrandom';
import { refuse, requireFinite } from '../../errors.ts';
import type { Random } from './random.ts';

/**
 * Repeatable words, by Brent's xorgens (period near 2^4128). The label says what the words are used for: one seed then
 * yields any number of independent streams, and none of them changes if another draws more words.
 *
 * @example
 * seeded(1, 'rows').word() === seeded(1, 'rows').word(); // true
 */
export function seeded(seed: number | string, label: string): Random {
  if (typeof seed !== 'string') requireFinite('seed', seed);
  if (typeof label !== 'string' || label === '') refuse('label', 'be a non-empty string', label);
  // JSON distinguishes (1, '2x'), (12, 'x') and ('1', '2x'); concatenation would not.
  const { int32 } = seedrandom.xor4096(JSON.stringify([seed, label]));
  return { isSecure: false, word: () => int32() >>> 0 };
}
