import { pageTypes } from './format.ts';
import { dataPage, dictionaryPage, type Page, type PageSource, pageRows } from './page.ts';
import type { PageReader } from './pageReader.ts';
import type { ColumnValues } from './pageValues.ts';

export interface ColumnCursor {
  /**
   * Decodes rows [start, start + count) into `out`, marks those without a value in `missing`, and returns how many they are. A call goes
   * on where the one before ended; one that begins elsewhere decodes the page of its first row again, but no page before it.
   */
  fill(start: number, count: number, out: Float64Array, missing: Uint8Array): number;
}

export interface CursorOptions {
  readonly pages: PageReader;
  readonly decompress: PageSource['decompress'];
  /** Where the first page begins and the last one ends in the file. */
  readonly start: number;
  readonly end: number;
  readonly rows: number;
  /** The definition level of a value that is there. */
  readonly highestLevel: number;
  readonly values: Omit<ColumnValues, 'dictionary'>;
}

/** Rows whose levels are looked at together. */
const slice = 1024;

export function columnCursor(options: CursorOptions): ColumnCursor {
  const { pages, decompress, start: firstPage, end, rows, highestLevel } = options;
  let column: ColumnValues = { ...options.values, dictionary: null };
  /** The open page, and how many of its rows are left. */
  let page: Page | null = null;
  let left = 0;
  /** The row that comes next, and where the page behind the open one begins. */
  let row = 0;
  let offset = firstPage;
  /** Where data pages begin, as far as the column has been read. */
  const known: { readonly row: number; readonly offset: number }[] = [];
  const levels = new Uint32Array(slice);
  const unwanted = { out: new Float64Array(slice), missing: new Uint8Array(slice) };

  const goTo = (place: { row: number; offset: number }): void => {
    ({ row, offset } = place);
    left = 0;
  };

  /** Opens the page with row `wanted`, at or behind the row that comes next, and steps over the pages between. */
  const openPage = (wanted: number): void => {
    while (left === 0) {
      if (offset >= end) throw new Error(`its pages end after ${row} of ${rows} rows`);
      const placed = pages.header(offset);
      const source = (): PageSource => ({ header: placed.header, body: pages.body(placed), decompress });
      const held = pageRows(placed.header);
      if (held > rows - row) throw new Error(`its pages hold more than ${rows} rows`);
      if (placed.header.type === pageTypes.dictionary) {
        // Pages are gone back to without it.
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
    }
  };

  /** Decodes rows of the open page; it holds at least `count` more. */
  const readRows = (count: number, out: Float64Array, at: number, missing: Uint8Array): number => {
    const { presence, values } = page!;
    row += count;
    left -= count;
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

  /** Moves the values from the front of a slice to their rows, from the last to the first. */
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

  const seek = (wanted: number): void => {
    if (wanted < row) goTo(known.findLast(place => place.row <= wanted)!);
    if (wanted >= row + left) {
      row += left;
      left = 0;
      openPage(wanted);
    }
    while (row < wanted) readRows(Math.min(slice, wanted - row), unwanted.out, 0, unwanted.missing);
  };

  return {
    fill: (start, count, out, missing) => {
      if (count === 0) return 0;
      try {
        seek(start);
        let absent = 0;
        for (let done = 0; done < count; ) {
          openPage(row);
          const taken = Math.min(left, count - done);
          absent += readRows(taken, out, done, missing);
          done += taken;
        }
        return absent;
      } catch (error) {
        // A page that failed halfway must not be read on.
        goTo({ row: 0, offset: firstPage });
        throw error;
      }
    },
  };
}
