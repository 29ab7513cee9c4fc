import { randomFillSync } from 'node:crypto';
import type { Random } from './random.ts';

const WORDS = 2048;

const made = new WeakSet<Random>();

/** Whether `secure` made it: a copy of its words, or a claim to be secure, is not enough for a guarantee. */
export const isFromSystem = (random: Random): boolean => made.has(random);

/** Words from the generator of node:crypto, fetched 8 KB at a time because a call costs far more than a word. */
export function secure(): Random {
  const words = new Uint32Array(WORDS);
  let next = WORDS;
  const random: Random = Object.freeze({
    isSecure: true,
    word() {
      if (next === WORDS) {
        randomFillSync(words);
        next = 0;
      }
      return words[next++]!;
    },
  });
  made.add(random);
  return random;
}
