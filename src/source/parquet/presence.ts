import { hybrid } from './hybrid.ts';

/** Which rows of a page have a value: those whose definition level is the highest. */
export interface Presence {
  /** How many have one. */
  readonly count: number;
  /** Reads the levels of the next rows. */
  readonly read: LevelReader;
}

export type LevelReader = (into: Uint32Array, count: number) => void;

/** Rows that are looked at together. */
export const slice = 1024;

/** Null where no row of the page is without a value. */
export function presenceOf(bytes: Uint8Array, highest: number, rows: number): Presence | null {
  const width = levelWidth(highest);
  // What writers leave behind for a column without nulls.
  if (hybrid(bytes, width).repeats(highest, rows)) return null;
  return counted(() => hybrid(bytes, width).read, highest, rows);
}

/** The same from levels in the format's first encoding, BIT_PACKED: no runs, and the highest bits first. */
export function oldPresence(bytes: Uint8Array, highest: number, rows: number): Presence | null {
  const width = levelWidth(highest);
  const open = (): LevelReader => {
    let bit = 0;
    return (into, count) => {
      for (let i = 0; i < count; i++) {
        let level = 0;
        for (let k = 0; k < width; k++, bit++) {
          level = (level << 1) | ((bytes[Math.floor(bit / 8)]! >> (7 - (bit % 8))) & 1);
        }
        into[i] = level;
      }
    };
  };
  return counted(open, highest, rows);
}

/** Bits of a level. */
export const levelWidth = (highest: number): number => 32 - Math.clz32(highest);

function counted(open: () => LevelReader, highest: number, rows: number): Presence | null {
  const levels = new Uint32Array(slice);
  const ahead = open();
  let count = 0;
  for (let done = 0; done < rows; done += slice) {
    const taken = Math.min(slice, rows - done);
    ahead(levels, taken);
    for (let i = 0; i < taken; i++) if (levels[i] === highest) count++;
  }
  return count === rows ? null : { count, read: open() };
}
