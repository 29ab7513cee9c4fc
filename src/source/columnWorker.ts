/** The program of a reading thread: opens the tables, which are Parquet files (columnThreads.ts), for itself, and decodes its columns of one batch whenever it is asked to. */
import { parentPort, workerData } from 'node:worker_threads';
import {
  type ColumnFeed,
  columnFeed,
  type FeedOptions,
  type FeedSlot,
  type FilledSlot,
} from './columnFeed.ts';
import { openParquet } from './parquet/openParquet.ts';
import type { Table } from './table.ts';

/** What a feed needs, but for what the thread makes for itself or is given with a pass. */
export type ReadingStart = Omit<FeedOptions, 'tables' | 'slots'> & { readonly paths: readonly string[] };

/** Begin a pass into these slots; fill one; let go of the pass; close the tables. */
export type ReadingOrder =
  | { readonly begin: readonly FeedSlot[] }
  | { readonly fill: number }
  | { readonly end: 'pass' | 'reading' };

/** One for every order. */
export type ReadingReply =
  | { readonly filled: FilledSlot | null }
  | { readonly problem: string; readonly isUsers: boolean };

const start = workerData as ReadingStart;
let tables: readonly Table[] | undefined;
let feed: ColumnFeed | undefined;

async function obey(order: ReadingOrder): Promise<FilledSlot | null> {
  if ('begin' in order) {
    tables ??= await Promise.all(start.paths.map(openParquet));
    feed = columnFeed({ ...start, tables, slots: order.begin });
    return null;
  }
  if ('fill' in order) return feed!.fill(order.fill);
  await feed?.close();
  feed = undefined;
  if (order.end === 'reading') await Promise.all((tables ?? []).map(table => table.close()));
  return null;
}

parentPort!.on('message', async (order: ReadingOrder) => {
  const reply: ReadingReply = await obey(order).then(
    filled => ({ filled }),
    (error: Error) => ({
      isUsers: error.name === 'ArgumentError',
      problem: error.name === 'ArgumentError' ? error.message : String(error.stack),
    }),
  );
  parentPort!.postMessage(reply);
});
