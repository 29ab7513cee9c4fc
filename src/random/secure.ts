import { randomFillSync } from 'node:crypto';
import type { Random } from './random.ts';

const WORDS = 2048;

/** Words from the generator of node:crypto, fetched 8 KB at a time because a call costs far more than a word. */
export function secure(): Random {
  const words = new Uint32Array(WORDS);
  let next = WORDS;
  return {
    isSecure: true,
    word() {
      if (next === WORDS) {
        randomFillSync(words);
        next = 0;
      }
      return words[next++]!;
    },
  };
}
