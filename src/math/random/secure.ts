import { randomFillSync } from 'node:crypto';
import type { Random } from './random.ts';

/**
 * The one door through which the operating system's random bytes come in; a lint rule keeps the rest of the library
 * from opening another. The function is taken when this module is loaded: an import follows what is later put in its
 * place, a constant does not.
 */
const fill = randomFillSync;

/** Words fetched at a time, because a call costs far more than a word. */
const WORDS = 2048;

/**
 * Random words from the operating system. They cannot be imitated, because a private field proves where an object was
 * made, and what words are made of cannot be exchanged.
 */
class SystemWords implements Random {
  readonly isSecure = true;
  readonly #words = new Uint32Array(WORDS);
  #next = WORDS;

  constructor() {
    Object.freeze(this);
  }

  word(): number {
    if (this.#next === WORDS) {
      fill(this.#words);
      this.#next = 0;
    }
    return this.#words[this.#next++]!;
  }

  static made(random: object): boolean {
    return #words in random;
  }
}

Object.freeze(SystemWords.prototype);
Object.freeze(SystemWords);

/** Unpredictable words from the operating system. Noise from any other source is not private. */
export const secure = (): Random => new SystemWords();

/** Whether `secure` made it: a copy of its words, or a claim to be secure, is not enough for a guarantee. */
export const isFromSystem = (random: Random): boolean => SystemWords.made(random);
