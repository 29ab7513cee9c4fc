import { grows, type Levels, LONGEST_LEVEL } from './levels.ts';

/** The first index of a text among the levels, or -1; a new text is appended to levels that grow. */
export function rankTexts(list: Levels): (text: string) => number {
  const ranks = new Map<string, number>();
  list.levels.forEach((level, rank) => {
    if (!ranks.has(level)) ranks.set(level, rank);
  });
  return text => {
    const rank = ranks.get(text);
    if (rank !== undefined) return rank;
    if (!grows(list) || Buffer.byteLength(text) > LONGEST_LEVEL) return -1;
    ranks.set(text, list.levels.length);
    return list.levels.push(text) - 1;
  };
}
