import type { DataError } from '../../errors.ts';
import type { Region } from './region.ts';

/** One column of a record batch, as seen by its reader. */
export interface BatchColumn {
  readonly rows: number;
  readonly nulls: number;
  /** The bit of the first row in bitmaps; 0 in files, but not in a slice of a batch in memory. */
  readonly firstBit: number;
  /** The column's buffers, numbered from 0, the validity bitmap. */
  buffer(index: number): Promise<Region>;
  /** The number of text buffers that a view column has beyond its first two. */
  readonly variadic: number;
  /** The elements of lists with `width` values per row; their buffers are numbered from 0 too. */
  child(width: number): BatchColumn;
  dictionary(id: number): Dictionary;
  /** Rows are counted within the batch. */
  damaged(problem: string, row?: number): DataError;
}

/** The values that a column refers to by index: numbers or texts, depending on its type. */
export interface Dictionary {
  readonly numbers: Float64Array;
  /** In UTF-8. */
  readonly texts: readonly Uint8Array[];
  /** 1 if an entry is null; one per entry. */
  readonly missing: Uint8Array;
}

export const emptyDictionary: Dictionary = Object.freeze({
  numbers: new Float64Array(0),
  texts: [],
  missing: new Uint8Array(0),
});
