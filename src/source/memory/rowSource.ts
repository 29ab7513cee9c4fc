import { refuse } from '../../errors.ts';
import type { Samples } from '../../sample/samples.ts';
import type { Table } from '../table/table.ts';

/**
 * Rows, wherever they are:
 *
 * - a path, a glob, '-' for standard input, the `URL` of a file, or a list of them;
 * - an apache-arrow `Table`, or an array of its record batches: read in place, as often as needed;
 * - an iterable, an async iterable or an Observable of record batches: read once to its end, kept in memory within
 *   `memoryBytes` and in an unlinked temporary file beyond, so that every pass has the same rows;
 * - columns by name, `{ hours: Float64Array, town: string[] }`;
 * - what `fromSql` returns, or tables of a format of one's own;
 * - `Samples`, which already have features and a target.
 *
 * Arrow values are recognized by their shape, so that any copy and any version of apache-arrow from 7 on will do.
 */
export type RowSource =
  | string
  | URL
  | readonly (string | URL)[]
  | ArrowTable
  | ArrowBatch
  | Iterable<ArrowBatch>
  | AsyncIterable<ArrowBatch>
  | Subscribable<ArrowBatch>
  | Columns
  | TableSource
  | Samples;

/** Tables of a format of one's own, opened when rows are read. */
export interface TableSource {
  openTables(): Promise<readonly Table[]>;
}

/** As much of an apache-arrow `RecordBatch` as its type has to have. */
export interface ArrowBatch {
  readonly schema: ArrowFields;
  readonly numRows: number;
  readonly data: { readonly children: readonly object[] };
}

/** As much of an apache-arrow `Table` as its type has to have. */
export interface ArrowTable {
  readonly schema: ArrowFields;
  readonly batches: readonly ArrowBatch[];
}

interface ArrowFields {
  readonly fields: readonly { readonly name: string; readonly type: { readonly typeId: number } }[];
}

/** An RxJS `Observable`, or anything else that can be subscribed to like one. */
export interface Subscribable<T> {
  subscribe(observer: { next(value: T): void; error(problem: unknown): void; complete(): void }): {
    unsubscribe(): void;
  };
}

/**
 * Columns by name, of equal length. A plain array holds numbers, bigints, booleans, texts or dates, of one kind; null
 * and undefined are nulls, and so is an invalid date.
 */
export type Columns = Readonly<Record<string, ColumnValues>>;

/** One of the `Columns`: a plain array, or a typed array, which is read in place. */
export type ColumnValues =
  | readonly (number | bigint | boolean | string | Date | null | undefined)[]
  | Float64Array
  | Float32Array
  | Int8Array
  | Int16Array
  | Int32Array
  | BigInt64Array
  | Uint8Array
  | Uint8ClampedArray
  | Uint16Array
  | Uint32Array
  | BigUint64Array;

/** A source by what has to be done to read it. */
export type KnownSource =
  | { readonly is: 'files'; readonly paths: readonly (string | URL)[] }
  | { readonly is: 'samples'; readonly samples: Samples }
  | { readonly is: 'tables'; readonly source: TableSource }
  | { readonly is: 'batches'; readonly name: string; readonly batches: readonly ArrowBatch[] }
  | { readonly is: 'columns'; readonly columns: Columns }
  | { readonly is: 'once'; readonly source: BatchesOnce };

/** Record batches that are pulled or pushed once. */
export type BatchesOnce = Iterable<ArrowBatch> | AsyncIterable<ArrowBatch> | Subscribable<ArrowBatch>;

export function knownSource(source: RowSource): KnownSource {
  if (isPath(source)) return { is: 'files', paths: [source] };
  if (Array.isArray(source)) {
    return source.every(isPath)
      ? { is: 'files', paths: source }
      : { is: 'batches', name: 'the batches', batches: source };
  }
  if (typeof source !== 'object' || source === null) return unknown(source);
  if (isSamples(source)) return { is: 'samples', samples: source };
  if ('openTables' in source && typeof source.openTables === 'function')
    return { is: 'tables', source: source as TableSource };
  if (isBatch(source)) return { is: 'batches', name: 'the batch', batches: [source] };
  if (isTable(source)) return { is: 'batches', name: 'the table', batches: source.batches };
  if (isObservable(source) || Symbol.asyncIterator in source || Symbol.iterator in source)
    return { is: 'once', source: source as BatchesOnce };
  const prototype = Object.getPrototypeOf(source);
  return prototype === null || Object.getPrototypeOf(prototype) === null
    ? { is: 'columns', columns: source as Columns }
    : unknown(source);
}

function unknown(source: unknown): never {
  const isPromise = typeof (source as PromiseLike<unknown> | null)?.then === 'function';
  return refuse(
    'the source of rows',
    'be a path, an Arrow table, record batches, columns by name, or Samples',
    typeof source === 'object' && source !== null ? `a ${source.constructor.name}` : source,
    isPromise ? 'await it first' : undefined,
  );
}

const isPath = (source: unknown): source is string | URL => typeof source === 'string' || source instanceof URL;

const isSamples = (source: object): source is Samples =>
  'features' in source && 'batches' in source && typeof source.batches === 'function';

const hasFields = (source: object): source is { readonly schema: ArrowFields } =>
  'schema' in source && Array.isArray((source.schema as Partial<ArrowFields> | null)?.fields);

const isTable = (source: object): source is ArrowTable =>
  hasFields(source) && 'batches' in source && Array.isArray(source.batches);

/** Whether a value has the shape of a record batch. */
export const isBatch = (value: unknown): value is ArrowBatch =>
  typeof value === 'object' &&
  value !== null &&
  hasFields(value) &&
  'data' in value &&
  Array.isArray((value.data as Partial<ArrowBatch['data']> | null)?.children);

export const isObservable = (source: object): source is Subscribable<ArrowBatch> =>
  'subscribe' in source && typeof source.subscribe === 'function';

/** Whether the source is standard input. */
export const isStream = (source: RowSource): boolean =>
  source === '-' || (Array.isArray(source) && source.includes('-'));

/** Whether rows of standard input pass once, because their number is declared; others are kept in a file. */
export const passesOnce = (source: RowSource, { rows }: { readonly rows?: number }): boolean =>
  isStream(source) && rows !== undefined;
