import type { FieldKind } from '../../source/table/table.ts';
import type { Dialect } from './dialect.ts';

/** What a query gave, column by column. */
export interface SqlTable {
  readonly rows: number;
  /** A column of numbers, with NaN for NULL. */
  numbers(name: string): Float64Array;
  texts(name: string): readonly (string | null)[];
}

/** How far a query is, as far as the engine tells. */
export type QueryProgress = (share: number) => void;

/** How a query is watched, and stopped. */
export interface QueryOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: QueryProgress | undefined;
}

/** A connection to an engine that answers SQL. */
export interface SqlSession {
  readonly dialect: Dialect;
  query(sql: string, options?: QueryOptions): Promise<SqlTable>;
  /** The columns of a query, and the engine's names for their types. */
  columnsOf(query: string): Promise<readonly { readonly name: string; readonly type: string }[]>;
  close(): Promise<void>;
}

/** Rows that an engine reads by a `FROM` clause. */
export interface SqlSource {
  readonly session: SqlSession;
  /** What the rows are called in messages and models. */
  readonly name: string;
  /** What stands behind FROM. */
  readonly from: string;
  /** Names the row number and the file of a row, where the engine knows both; null where it does not. */
  readonly place: { readonly row: string; readonly file: string | null } | null;
  /** Whether rows are those of a table or of files, none of which a query has left out or put together. */
  readonly isWhole: boolean;
  /**
   * Kinds of columns whose reading may fail by what a row holds, such as a text that is not valid UTF-8, and then ends a
   * run: none of a private run may be of such a kind.
   */
  readonly fallible: readonly FieldKind[];
}

/** Rows that stay in an engine, as `onDuckdb` and `onSpark` return them. */
export interface SqlRows {
  /** What distinguishes them from other rows, for checkpoints: no secret. */
  readonly engine: Readonly<Record<string, unknown>>;
  /** The column that numbers the rows, by which they are assigned to chunks and blocks. */
  readonly id: string | undefined;
  /** For a run that writes a table beside its own, `writes` is true. */
  connect(options?: { readonly writes?: boolean }): Promise<SqlSource>;
}
