import { pageTypes } from './format.ts';
import { dataPage, dictionaryPage, type Page, type PageReader, type PageSource, pageRows } from './page.ts';
import type { ColumnValues } from './pageValues.ts';

/**
 * Decodes rows [start, start + count) into `out`, marks those without a value in `missing`, and returns their number. A
 * call continues where the one before ended; one that begins elsewhere decodes the page of its first row again, but no
 * page before it.
 */
export type ColumnCursor = (start: number, count: number, out: Float64Array, missing: Uint8Array) => number;

export interface ColumnPages {
  readonly pages: PageReader;
  readonly decompress: PageSource['decompress'];
  /** The offsets in the file of the start of the first page and the end of the last. */
  readonly start: number;
  readonly end: number;
  readonly rows: number;
  /** The definition level of a value that is present. */
  readonly highestLevel: number;
  readonly values: Omit<ColumnValues, 'dictionary'>;
}

/** The number of unwanted rows decoded at a time. */
const skipped = 1024;

export function columnCursor(options: ColumnPages): ColumnCursor {
  const walk = pageWalk(options);
  const readRows = rowReader(options.highestLevel);
  const unwanted = { out: new Float64Array(skipped), missing: new Uint8Array(skipped) };

  return (start, count, out, missing) => {
    if (count === 0) return 0;
    try {
      for (walk.goTo(start); walk.row < start; ) {
        const passed = Math.min(skipped, start - walk.row);
        readRows(walk.page, passed, unwanted.out, 0, unwanted.missing);
        walk.pass(passed);
      }
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
  };
}

interface Place {
  readonly row: number;
  readonly offset: number;
}

/** The data pages of a column, one of which is open at a time. */
function pageWalk({ pages, decompress, start: firstPage, end, rows, highestLevel, values }: ColumnPages) {
  let column: ColumnValues = { ...values, dictionary: null };
  let page: Page | null = null;
  let left = 0;
  let row = 0;
  /** The offset of the page after the open one. */
  let offset = firstPage;
  /** The offsets of the data pages, as far as the column has been read. */
  const known: Place[] = [];

  const leaveFor = (place: Place): void => {
    ({ row, offset } = place);
    left = 0;
  };

  /** Reads the next header, and opens its page if that contains row `wanted`. */
  const meetPage = (wanted: number): void => {
    if (offset >= end) throw new Error(`its pages end after ${row} of ${rows} rows`);
    const placed = pages.header(offset);
    const source = (): PageSource => ({ header: placed.header, body: pages.body(placed), decompress });
    const held = pageRows(placed.header);
    if (held > rows - row) throw new Error(`its pages have more than ${rows} rows`);
    if (placed.header.type === pageTypes.dictionary) {
      // Going back to an earlier page does not read the dictionary again.
      if (offset !== firstPage) throw new Error('its dictionary is not its first page');
      column = { ...column, dictionary: dictionaryPage(source(), column) };
    }
    if (held > 0 && row > (known.at(-1)?.row ?? -1)) known.push({ row, offset });
    offset = placed.end;
    if (row + held <= wanted) row += held;
    else {
      page = dataPage(source(), highestLevel, column);
      left = held;
    }
  };

  return {
    /** The next row, the open page that contains it, and how many rows of that page are left. */
    get row() {
      return row;
    },
    get page() {
      return page!;
    },
    get left() {
      return left;
    },
    /**
     * Opens the page with row `wanted`, unless it is among the rows left in the open one; pages in between are skipped,
     * not decoded.
     */
    goTo: (wanted: number): void => {
      if (wanted < row) leaveFor(known.findLast(place => place.row <= wanted)!);
      if (wanted < row + left) return;
      row += left;
      left = 0;
      while (left === 0) meetPage(wanted);
    },
    /** Marks rows of the open page as read. */
    pass: (count: number): void => {
      row += count;
      left -= count;
    },
    /** Starts again from the first page, as if nothing had been read. */
    restart: (): void => leaveFor({ row: 0, offset: firstPage }),
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
      values(out, at, count);
      return 0;
    }
    let present = 0;
    for (let done = 0; done < count; done += slice) {
      const taken = Math.min(slice, count - done);
      presence.read(levels, taken);
      let here = 0;
      for (let i = 0; i < taken; i++) if (levels[i] === highestLevel) here++;
      values(out, at + done, here);
      if (here < taken) spread(out, missing, at + done, taken, here);
      present += here;
    }
    return count - present;
  };
}
