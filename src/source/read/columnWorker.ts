/**
 * The program of a reading thread: opens the tables, which are Parquet files (columnThreads.ts), itself, and decodes
 * its columns of one batch on each request.
 */
import { parentPort } from 'node:worker_threads';
import { ArgumentError } from '../../errors.ts';
import { columnsOf, type Design } from '../design/design.ts';
import { openParquet } from '../parquet/openParquet.ts';
import { leveled } from '../table/leveled.ts';
import type { Table } from '../table/table.ts';
import { type ColumnFeed, columnFeed, type FeedOptions, type FilledSlot } from './columnFeed.ts';

/** The options of a feed, except for what the thread creates itself. */
export type Reading = Omit<FeedOptions, 'tables'> & { readonly paths: readonly string[] };

/** Begin a pass over tables, always the same ones; fill a slot; end the pass; close the tables. */
export type ReadingOrder =
  | { readonly begin: Reading }
  | { readonly fill: number }
  | { readonly end: 'pass' | 'reading' };

/** One reply to every order. */
export type ReadingReply =
  | { readonly filled: FilledSlot | null }
  | { readonly problem: string; readonly user?: Pick<ArgumentError, 'code' | 'detail'> };

let tables: readonly Table[] | undefined;
let feed: ColumnFeed | undefined;

async function obey(order: ReadingOrder): Promise<FilledSlot | null> {
  if ('begin' in order) {
    const { paths, ...reading } = order.begin;
    tables ??= await Promise.all(
      paths.map(async (path, index) => asDesigned(await openParquet(path), reading.designs[index]!)),
    );
    feed = columnFeed({ ...reading, tables });
    return null;
  }
  if ('fill' in order) return feed!.fill(order.fill);
  await feed?.close();
  feed = undefined;
  if (order.end === 'reading') await Promise.all((tables ?? []).map(table => table.close()));
  return null;
}

/** A column with declared levels was text when the design was made. */
const asDesigned = (table: Table, design: Design): Table =>
  leveled(
    table,
    columnsOf(design).flatMap(({ field, levels }) => (levels === undefined ? [] : [table.fields[field]!.name])),
  );

parentPort!.on('message', async (order: ReadingOrder) => {
  const reply: ReadingReply = await obey(order).then(
    filled => ({ filled }),
    (error: Error) =>
      error instanceof ArgumentError
        ? { problem: error.message, user: { code: error.code, detail: error.detail } }
        : { problem: String(error.stack) },
  );
  parentPort!.postMessage(reply);
});
