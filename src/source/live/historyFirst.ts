import { stat } from 'node:fs/promises';
import { dataError } from '../../errors.ts';
import { batches } from '../memory/batches.ts';
import { knownSource, type RowSource } from '../memory/rowSource.ts';
import { expandPaths } from '../table/expandPaths.ts';
import type { Arrival, Json, LiveSource, OpenLiveOptions, OpenStream, Position } from './liveSource.ts';

/** How the rows before a stream are read. */
export interface HistoryOptions {
  /** The columns to read; all that can be read unless given. */
  readonly columns?: readonly string[];
}

/**
 * Rows that are there already, and then a stream, as one stream. A place says which of the two it is in: so many rows of
 * the history, or a place of the stream, which is not opened before the history has ended.
 */
export function historyFirst(history: RowSource, stream: LiveSource, { columns }: HistoryOptions = {}): LiveSource {
  return Object.freeze({
    name: stream.name,
    open: async (options: OpenLiveOptions): Promise<OpenStream> => {
      const { from, identity, forPrivate } = options;
      const known = (identity ?? null) as Known | null;
      const files = await filesOf(history, forPrivate);
      if (known !== null && JSON.stringify(known.history) !== JSON.stringify(files))
        throw dataError(
          { table: stream.name },
          'has another history than the run began with',
          'give the same files, unchanged, or begin another run',
          'ERR_CHANGED',
        );
      const at = placeIn(from);
      let later: OpenStream | undefined;
      const openLater = async (position: Position | null): Promise<OpenStream> => {
        const { identity: _, ...rest } = options;
        later = await stream.open({
          ...rest,
          from: position,
          ...(known?.stream !== undefined && known.stream !== null && { identity: known.stream }),
        });
        return later;
      };
      const opened = at.is === 'stream' ? await openLater(at.position) : undefined;
      return {
        get identity(): Json {
          return { history: files, stream: later?.identity ?? known?.stream ?? null };
        },
        endless: true,
        arrivals: {
          async *[Symbol.asyncIterator]() {
            if (at.is === 'history') yield* arrivalsOf(history, at.rows, { ...(columns && { columns }), ...options });
            const { arrivals } = opened ?? (await openLater(null));
            for await (const { batch, items } of arrivals)
              yield { batch, items: items.map(({ rows, place }) => ({ rows, place: { stream: place } })) };
          },
        },
        lag: () => later?.lag() ?? null,
        close: async () => {
          await later?.close();
        },
      };
    },
  });
}

interface Known {
  readonly history: Json;
  readonly stream: Json;
}

type Place =
  | { readonly is: 'history'; readonly rows: number }
  | { readonly is: 'stream'; readonly position: Position };

function placeIn(from: Position | null): Place {
  if (from === null || from.after === null) return { is: 'history', rows: 0 };
  const after = from.after as { readonly history: number } | { readonly stream: Json };
  return 'stream' in after
    ? { is: 'stream', position: { after: after.stream, rows: from.rows } }
    : { is: 'history', rows: after.history };
}

/** The rows from one on; batches that end before it are read and passed over. */
async function* arrivalsOf(
  history: RowSource,
  from: number,
  { columns, signal }: HistoryOptions & Pick<OpenLiveOptions, 'signal'>,
): AsyncGenerator<Arrival> {
  let rows = 0;
  for await (const batch of batches(history, { ...(signal && { signal }) })) {
    void columns;
    const start = rows;
    rows += batch.numRows;
    if (rows <= from || batch.numRows === 0) continue;
    const kept = start < from ? batch.slice(from - start) : batch;
    yield { batch: kept, items: [{ rows: kept.numRows, place: { history: rows } }] };
  }
}

/** What tells one history from another; in a private run names alone, because sizes depend on what rows hold. */
async function filesOf(history: RowSource, forPrivate: boolean): Promise<Json> {
  const known = knownSource(history);
  if (known.is !== 'files') return known.is;
  const paths = await expandPaths(known.paths.map(path => (path instanceof URL ? path.pathname : path)));
  return Promise.all(
    paths.map(async path => (forPrivate ? path : { path, bytes: await stat(path).then(({ size }) => size, () => null) })),
  );
}
