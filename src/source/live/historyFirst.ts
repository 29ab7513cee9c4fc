import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { knownSource, type RowSource } from '../memory/rowSource.ts';
import { openTables } from '../read/openRows.ts';
import { expandPaths } from '../table/expandPaths.ts';
import type { Table } from '../table/table.ts';
import { arrivalsOf } from './batchStream.ts';
import type { Item, Json, LiveColumns, LiveSource, OpenLiveOptions, OpenStream } from './liveSource.ts';
import { changed } from './openedStream.ts';

/**
 * Rows that are there already, and then a stream, as one stream. A place says in which of the two it is: after so many
 * rows of the history, or at a place of the stream, which is not opened before the history has ended. `kinds` says what
 * the stream's columns hold, if that is known by then.
 */
export function historyFirst(
  history: RowSource,
  stream: LiveSource,
  kinds: () => LiveColumns | null = () => null,
): LiveSource {
  const { name } = stream;
  return Object.freeze({
    name,
    open: async (options: OpenLiveOptions): Promise<OpenStream> => {
      const { from, identity, forPrivate } = options;
      const files = await filesOf(history, forPrivate);
      const known = (identity ?? null) as { readonly history: Json; readonly stream: Json } | null;
      if (known !== null && JSON.stringify(known.history) !== JSON.stringify(files))
        throw changed(
          name,
          `follows the history ${JSON.stringify(files)}, but the checkpoint is of ${JSON.stringify(known.history)}`,
        );
      const after = (from?.after ?? null) as { readonly stream: Json } | { readonly history: number } | null;
      const isLater = after !== null && 'stream' in after;
      let later: OpenStream | undefined;
      let isClosed = false;
      const openLater = async (): Promise<OpenStream> => {
        const columns = options.columns ?? kinds();
        const { identity: _, ...rest } = options;
        later = await stream.open({
          ...rest,
          ...(columns && { columns }),
          from: isLater ? { after: after.stream, rows: from!.rows } : null,
          ...(isLater && { identity: known!.stream }),
        });
        if (isClosed) await later.close();
        return later;
      };
      const opened = isLater ? await openLater() : undefined;
      const used = after !== null && 'history' in after ? after.history : 0;
      return {
        get identity() {
          return { history: files, stream: later?.identity ?? known?.stream ?? null };
        },
        endless: true,
        arrivals: {
          async *[Symbol.asyncIterator]() {
            if (!isLater)
              for await (const { batch, items } of arrivalsOf(tablesOf(history, options), { ...options, name, used }))
                yield { batch, items: items.map(({ rows, place }) => ({ rows, place: { history: rowsOf(place) } })) };
            for await (const { batch, items } of (opened ?? (await openLater())).arrivals)
              yield { batch, items: items.map(item => ofStream(item)) };
          },
        },
        lag: () => later?.lag() ?? null,
        close: async () => {
          isClosed = true;
          await later?.close();
        },
      };
    },
  });
}

/** Its place is asked for when it is needed. */
const ofStream = (item: Item): Item => ({
  rows: item.rows,
  get place() {
    return { stream: item.place };
  },
});

const rowsOf = (place: Json): number => (place as { readonly rows: number }).rows;

/** In a private run no row may decide how another is read. */
async function* tablesOf(history: RowSource, { forPrivate, columns = {} }: OpenLiveOptions): AsyncGenerator<Table> {
  const types = Object.fromEntries(
    Object.entries(columns).map(([name, is]) => [name, is === 'text' ? ('text' as const) : ('mixed' as const)]),
  );
  const tables = await openTables(history, forPrivate ? { types, sampleRows: 0, malformed: 'nulls' } : {});
  try {
    yield* tables;
  } finally {
    await Promise.all(tables.map(table => table.close()));
  }
}

/** What tells one history from another; in a private run names alone, because sizes depend on what rows hold. */
async function filesOf(history: RowSource, forPrivate: boolean): Promise<Json> {
  const known = knownSource(history);
  if (known.is !== 'files') return known.is;
  const paths = await expandPaths(known.paths.map(path => (path instanceof URL ? fileURLToPath(path) : path)));
  if (forPrivate) return paths;
  return Promise.all(paths.map(async path => ({ path, bytes: (await stat(path)).size })));
}
