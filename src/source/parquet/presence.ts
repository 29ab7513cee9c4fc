import { hybrid } from './hybrid.ts';

/** Which rows of a page have a value: those whose definition level is the highest. */
export interface Presence {
  /** The number of rows that have a value. */
  readonly count: number;
  /** Reads the levels of the next rows. */
  read(into: Uint32Array, count: number): void;
}

/** Null if every row of the page has a value. */
export function presenceOf(bytes: Uint8Array, highest: number, rows: number): Presence | null {
  const width = levelWidth(highest);
  const levels = hybrid(bytes, width);
  // For a column without nulls, writers store a single run.
  const count = levels.repeats(highest, rows) ? rows : levels.count(highest, rows);
  return count === rows ? null : { count, read: hybrid(bytes, width).read };
}

/** The same from levels in the format's first encoding, BIT_PACKED: no runs, and the most significant bits first. */
export function oldPresence(bytes: Uint8Array, highest: number, rows: number): Presence | null {
  const width = levelWidth(highest);
  const levelOf = (row: number): number => {
    let level = 0;
    for (let bit = row * width; bit < (row + 1) * width; bit++) {
      level = 2 * level + ((bytes[Math.floor(bit / 8)]! >> (7 - (bit % 8))) & 1);
    }
    return level;
  };
  let count = 0;
  for (let row = 0; row < rows; row++) if (levelOf(row) === highest) count++;
  let row = 0;
  const read = (into: Uint32Array, asked: number): void => {
    for (let i = 0; i < asked; i++) into[i] = levelOf(row++);
  };
  return count === rows ? null : { count, read };
}

/** The number of bits per level. */
export const levelWidth = (highest: number): number => 32 - Math.clz32(highest);
