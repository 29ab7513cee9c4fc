import { pageWalk, type WalkOptions } from './pageWalk.ts';
import { rowReader } from './rowReader.ts';

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
