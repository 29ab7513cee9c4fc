import type { DataError } from '../dataError.ts';
import type { Dictionary } from './dictionary.ts';
import type { Region } from './region.ts';

/** One column of a record batch, as its reader sees it. */
export interface BatchColumn {
  readonly rows: number;
  readonly nulls: number;
  /** The column's buffers are numbered from 0, the validity bitmap, on. */
  buffer(index: number): Promise<Region>;
  /** How many buffers of texts a view column has beyond its own two. */
  readonly variadic: number;
  /** The elements of a list of `width` a row; their own buffers are numbered from 0 too. */
  child(width: number): BatchColumn;
  dictionary(id: number): Dictionary;
  /** Rows are counted within the batch. */
  damaged(problem: string, row?: number): DataError;
}
