import type { Page } from './page.ts';

/**
 * Decodes rows of a page into `out` from `at` on, marks those without a value in `missing`, and returns their number.
 */
export type RowReader = (
  page: Page,
  count: number,
  out: Float64Array,
  at: number,
  missing: Uint8Array,
) => number;

/** The number of rows whose levels are processed together. */
const slice = 1024;

/** `highestLevel` is the definition level of a value that is present. */
export function rowReader(highestLevel: number): RowReader {
  const levels = new Uint32Array(slice);

  /** Moves the values from the front of a slice to their rows, last to first. */
  const spread = (
    out: Float64Array,
    missing: Uint8Array,
    at: number,
    count: number,
    present: number,
  ): void => {
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
