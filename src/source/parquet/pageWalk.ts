import { pageTypes } from './format.ts';
import { dataPage, dictionaryPage, type Page, type PageSource, pageRows } from './page.ts';
import type { PageReader } from './pageReader.ts';
import type { ColumnValues } from './pageValues.ts';

/** The data pages of a column, one of which is open at a time. */
export interface PageWalk {
  /** The next row, the open page that contains it, and how many rows of that page are left. */
  readonly row: number;
  readonly page: Page;
  readonly left: number;
  /**
   * Opens the page with row `wanted`, unless it is among the rows left in the open one; pages in between are skipped,
   * not decoded.
   */
  goTo(wanted: number): void;
  /** Marks rows of the open page as read. */
  pass(count: number): void;
  /** Starts again from the first page, as if nothing had been read. */
  restart(): void;
}

export interface WalkOptions {
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

interface Place {
  readonly row: number;
  readonly offset: number;
}

export function pageWalk(options: WalkOptions): PageWalk {
  const { pages, decompress, start: firstPage, end, rows, highestLevel } = options;
  let column: ColumnValues = { ...options.values, dictionary: null };
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
    get row() {
      return row;
    },
    get page() {
      return page!;
    },
    get left() {
      return left;
    },
    goTo: wanted => {
      if (wanted < row) leaveFor(known.findLast(place => place.row <= wanted)!);
      if (wanted < row + left) return;
      row += left;
      left = 0;
      while (left === 0) meetPage(wanted);
    },
    pass: count => {
      row += count;
      left -= count;
    },
    restart: () => leaveFor({ row: 0, offset: firstPage }),
  };
}
