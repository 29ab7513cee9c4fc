import type { Page } from './page.ts';
import { pageWalk, type WalkOptions } from './pageWalk.ts';

export interface ColumnCursor {
  /**
   * Decodes rows [start, start + count) into `out`, marks those without a value in `missing`, and returns their number.
   * A call continues where the one before ended; one that begins elsewhere decodes the page of its first row again, but
   * no page before it.
   */
  fill(start: number, count: number, out: Float64Array, missing: Uint8Array): number;
}

/** The number of unwanted rows decoded at a time. */
const skipped = 1024;

export function columnCursor(options: WalkOptions): ColumnCursor {
  const walk = pageWalk(options);
  const readRows = rowReader(options.highestLevel);
  const unwanted = { out: new Float64Array(skipped), missing: new Uint8Array(skipped) };

  const seek = (wanted: number): void => {
    walk.goTo(wanted);
    while (walk.row < wanted) {
      const count = Math.min(skipped, wanted - walk.row);
      readRows(walk.page, count, unwanted.out, 0, unwanted.missing);
      walk.pass(count);
    }
  };

  return {
    fill: (start, count, out, missing) => {
      if (count === 0) return 0;
      try {
        seek(start);
        let absent = 0;
        for (let done = 0; done < count; ) {
          walk.goTo(walk.row);
          const taken = Math.min(walk.left, count - done);
          absent += readRows(walk.page, taken, out, done, missing);
          walk.pass(taken);
          done += taken;
        }
        return absent;
      } catch (error) {
        // A page that failed halfway must not be read further.
        walk.restart();
        throw error;
      }
    },
  };
}

/**
 * Decodes rows of a page into `out` from `at` on, marks those without a value in `missing`, and returns their number.
 */
type RowReader = (page: Page, count: number, out: Float64Array, at: number, missing: Uint8Array) => number;

/** The number of rows whose levels are processed together. */
const slice = 1024;

/** `highestLevel` is the definition level of a value that is present. */
function rowReader(highestLevel: number): RowReader {
  const levels = new Uint32Array(slice);

  /** Moves the values from the front of a slice to their rows, last to first. */
  const spread = (out: Float64Array, missing: Uint8Array, at: number, count: number, present: number): void => {
    let from = at + present;
    for (let i = count - 1; i >= 0; i--) {
      if (levels[i] === highestLevel) out[at + i] = out[--from]!;
      else {
        out[at + i] = 0;
        missing[at + i] = 1;
      }
    }
  };

  return ({ presence, values }, count, out, at, missing) => {
    if (presence === null) {
      values.read(out, at, count);
      return 0;
    }
    let present = 0;
    for (let done = 0; done < count; done += slice) {
      const taken = Math.min(slice, count - done);
      presence.read(levels, taken);
      let here = 0;
      for (let i = 0; i < taken; i++) if (levels[i] === highestLevel) here++;
      values.read(out, at + done, here);
      if (here < taken) spread(out, missing, at + done, taken, here);
      present += here;
    }
    return count - present;
  };
}
