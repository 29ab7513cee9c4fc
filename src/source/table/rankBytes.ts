import { isUtf8 } from 'node:buffer';
import { grows, type Levels, LONGEST_LEVEL } from './levels.ts';

/**
 * Levels are looked up by their UTF-8 bytes, which is several times as fast as converting the bytes to strings first.
 */
export function rankBytes(list: Levels) {
  const texts: Uint8Array[] = [];
  const ranks = new Map<number, number[]>();
  let longest = grows(list) ? (list.longest ?? LONGEST_LEVEL) : 0;
  const add = (text: Uint8Array): void => {
    const hash = hashOf(text, 0, text.length);
    ranks.set(hash, [...(ranks.get(hash) ?? []), texts.length]);
    texts.push(text);
    longest = Math.max(longest, text.length);
  };
  for (const level of list.levels) add(Buffer.from(level));

  const join = (bytes: Uint8Array, from: number, to: number): number => {
    if (!grows(list) || to - from > (list.longest ?? LONGEST_LEVEL)) return -1;
    const text = Buffer.from(bytes.subarray(from, to));
    // A text that is not UTF-8 cannot have been declared.
    if (!isUtf8(text)) return -1;
    add(text);
    return list.levels.push(text.toString()) - 1;
  };
  return {
    /** No text with more bytes is or becomes a level. */
    longest,
    /**
     * The first index among the levels of the text in bytes [from, to), or -1; a new text is appended to levels that
     * grow.
     */
    rankOf: (bytes: Uint8Array, from: number, to: number): number => {
      // Views may give one long text to any number of rows, so it is not worth hashing.
      if (to - from > longest) return -1;
      for (const rank of ranks.get(hashOf(bytes, from, to)) ?? NONE) {
        if (isEqual(texts[rank]!, bytes, from, to)) return rank;
      }
      return join(bytes, from, to);
    },
  };
}

const NONE: readonly number[] = [];

/** FNV-1a, 32 bits. */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  return hash;
}

function isEqual(text: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (text.length !== to - from) return false;
  for (let i = 0; i < text.length; i++) if (text[i] !== bytes[from + i]) return false;
  return true;
}

/** The first index of a text among the levels, or -1; a new text is appended to levels that grow. */
export function rankTexts(list: Levels): (text: string) => number {
  const ranks = new Map<string, number>();
  list.levels.forEach((level, rank) => {
    if (!ranks.has(level)) ranks.set(level, rank);
  });
  return text => {
    const rank = ranks.get(text);
    if (rank !== undefined) return rank;
    if (!grows(list) || Buffer.byteLength(text) > (list.longest ?? LONGEST_LEVEL)) return -1;
    ranks.set(text, list.levels.length);
    return list.levels.push(text) - 1;
  };
}
