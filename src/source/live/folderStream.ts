import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DataError, dataError, requirePositive } from '../../errors.ts';
import { listed } from '../../words.ts';
import type { ArrowBatch } from '../memory/rowSource.ts';
import { formatOf, openTable } from '../read/openTable.ts';
import { BATCH_ROWS } from '../read/tableSamples.ts';
import { formatByName } from '../table/detectFormat.ts';
import { naturalOrder } from '../table/expandPaths.ts';
import { fileError } from '../table/fileError.ts';
import type { Table } from '../table/table.ts';
import { bomLength, byteSource } from '../text/byteSource.ts';
import { csvHeader } from '../text/openCsv.ts';
import type { WatchOptions } from './growingFile.ts';
import { after, csvRows, linesOf } from './lines.ts';
import { type LiveSchema, liveSchema } from './liveSchema.ts';
import type { Arrival, Item, Json, LiveSource, OpenLiveOptions } from './liveSource.ts';
import { changed, openedStream, placeOf, requireIdentity } from './openedStream.ts';
import { arrivalsOf, deadLetter, JSON_ROWS, type Message } from './records.ts';
import { keyOf, type Sealing, sealing } from './seal.ts';
import { tableRows } from './tableRows.ts';
import { watched } from './watched.ts';

/**
 * A folder into which files arrive, each renamed to its place when it is complete: Arrow, Parquet, CSV and NDJSON, read
 * as `batches` reads them, in the order of their names, part-2 before part-10. Names that begin with a dot or end in
 * .part or .tmp are those of files that are still being written. A large file is read in pieces of 65,536 rows.
 *
 * Positions only go forward: a file that sorts before the latest one is told of and not read. A place is the name of a
 * file, its size and digest, and how many of its rows are used; when the stream is resumed and the file has changed or
 * is gone, the stream is refused. Earlier files may be removed. A file that cannot be read, or that has a row that
 * cannot, is a dead letter as a whole: it is read through before the first of its rows is used.
 *
 * In a private run a place has a seal under a secret key instead of size and digest, which say what rows hold, and no file
 * is refused: every row that its metadata or its lines state has its place, and is without values
 * where it cannot be read. A file of which nothing can be read is one such row.
 */
export function folderStream(path: string, { every = 1000 }: WatchOptions = {}): LiveSource {
  requirePositive('every', every);
  const identity = { source: 'folder' };
  return Object.freeze({
    name: path,
    open: async (options: OpenLiveOptions) => {
      requireIdentity(path, identity, options);
      const found = await stat(path).catch(error => {
        throw fileError(path, error);
      });
      if (options.forPrivate) keyOf(path, options);
      if (!found.isDirectory()) throw dataError({ table: path }, 'is not a folder', 'name the folder of the files');
      const state = { waiting: 0 };
      const arrivals = (stop: AbortSignal) => arrived(path, options, every, stop, state);
      return openedStream({ name: path, identity, endless: true, arrivals, lag: () => state.waiting }, options);
    },
  });
}

/**
 * Rows of a file with their items; no batch for items without rows. The first item of a file has none, so that a
 * position within the first piece says which file it is of.
 */
interface Piece {
  readonly batch: ArrowBatch | null;
  readonly items: readonly Item[];
}

/** A file that has arrived, of which some rows may be used already. */
interface ArrivedFile {
  readonly path: string;
  readonly name: string;
  readonly stats: Stats;
  readonly schema: LiveSchema;
  readonly options: OpenLiveOptions;
  /** The stored place of the latest rows that were used, if they are of this file. */
  readonly used: Readonly<Record<string, Json>> | null;
}

async function* arrived(
  path: string,
  options: OpenLiveOptions,
  every: number,
  stop: AbortSignal,
  state: { waiting: number },
): AsyncGenerator<Arrival> {
  const { onProblem, forPrivate } = options;
  const schema = await liveSchema(options);
  let used = placeOf(path, options, 'file', 'rows');
  let latest = used === null ? null : String(used.file);
  let latestStats: Stats | undefined;
  let known: ReadonlySet<string> | undefined;
  let told: string | null = null;
  const tell = (problem: string | null): void => {
    if (problem !== told) onProblem?.(problem);
    told = problem;
  };
  let passed: Item | undefined;
  const changes = watched(path, every);
  try {
    for (;;) {
      stop.throwIfAborted();
      changes.look();
      const names = await namesIn(path).catch((error: unknown) => fileError(path, error));
      if (names instanceof DataError) {
        tell(names.message);
        await changes.wait(stop);
        continue;
      }
      if (latest !== null) {
        const now = await statsOf(join(path, latest));
        if (used !== null && now === undefined)
          throw changed(join(path, latest), 'is gone, and was the last to be used');
        if (now !== undefined && latestStats !== undefined)
          requireSame(join(path, latest), latestStats, now, forPrivate);
      }
      const late = await lateAmong(path, names, latest, known);
      tell(late.length === 0 ? null : lateNames(path, late, latest!));
      known = new Set(names.filter(name => !late.includes(name)));
      const next = names.filter(name => {
        const order = latest === null ? 1 : naturalOrder(name, latest);
        return order > 0 || (order === 0 && used !== null);
      });
      let isCut = false;
      for (const [k, name] of next.entries()) {
        state.waiting = next.length - k - 1;
        const file = join(path, name);
        const stats = await statsOf(file);
        // Gone again before a row of it was used.
        if (stats === undefined) continue;
        const pieces = (forPrivate ? privatePieces : wholePieces)({ path: file, name, stats, schema, options, used });
        for await (const { batch, items } of pieces) {
          stop.throwIfAborted();
          passed = batch === null ? items.at(-1) : passed;
          if (batch === null) continue;
          yield { batch, items: passed === undefined ? items : [passed, ...items] };
          passed = undefined;
        }
        [latest, latestStats, used] = [name, stats, null];
        // What has arrived meanwhile may sort before what was to be next.
        isCut = changes.mayHaveChanged();
        if (isCut) break;
      }
      if (!isCut) await changes.wait(stop);
    }
  } finally {
    changes.close();
  }
}

/** Complete files, in the order in which they are read. */
async function namesIn(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return entries
    .filter(entry => !entry.isDirectory() && !/^\.|\.(part|tmp)$/i.test(entry.name))
    .map(({ name }) => name)
    .sort(naturalOrder);
}

/** Undefined for what is gone, or not a file. */
async function statsOf(path: string): Promise<Stats | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? found : undefined;
}

/**
 * Names that arrived behind their turn: those that were not there before. When the stream has just been resumed, nobody
 * knows what was there; then those whose files got their names after the latest file did.
 */
async function lateAmong(
  path: string,
  names: readonly string[],
  latest: string | null,
  known: ReadonlySet<string> | undefined,
): Promise<readonly string[]> {
  if (latest === null) return [];
  const earlier = names.filter(name => naturalOrder(name, latest) < 0);
  if (known !== undefined) return earlier.filter(name => !known.has(name));
  const named = await statsOf(join(path, latest));
  const all = await Promise.all(earlier.map(name => statsOf(join(path, name))));
  return earlier.filter((_, k) => named !== undefined && all[k] !== undefined && all[k].ctimeMs > named.ctimeMs);
}

const lateNames = (path: string, late: readonly string[], latest: string): string =>
  `${listed(late)} in ${path} ${late.length === 1 ? 'sorts' : 'sort'} before ${JSON.stringify(latest)}, which has been used, and will not be read; give files names that sort behind those of earlier ones`;

/** Sizes are told only if they may be. */
function requireSame(path: string, was: Stats, is: Stats, forPrivate: boolean): void {
  if (was.ino === is.ino && was.size === is.size && was.mtimeMs === is.mtimeMs) return;
  const sizes = forPrivate || was.size === is.size ? '' : `: it had ${was.size} bytes, and has ${is.size}`;
  throw changed(path, `was changed or replaced after rows of it were used${sizes}`);
}

/** The rows of a file, which is read through first, so that a bad one is left out as a whole. */
async function* wholePieces({ path, name, stats, schema, options, used }: ArrivedFile): AsyncGenerator<Piece> {
  const digest = createHash('sha256');
  for await (const chunk of byteSource(path, path).read()) digest.update(chunk);
  const about = { file: name, size: stats.size, digest: digest.digest('hex') };
  if (used !== null) {
    if (used.size !== about.size)
      throw changed(path, `has ${about.size} bytes, but had ${JSON.stringify(used.size)} when rows of it were used`);
    if (used.digest !== about.digest) throw changed(path, 'has other bytes than when rows of it were used');
  }
  const skip = Number(used?.rows ?? 0);
  let opened: { readonly table: Table; readonly places: readonly (number | null)[] } | undefined;
  try {
    opened = await openArrived(path, schema);
    // What was used before has been found to be good.
    if (skip === 0) {
      for await (const { bad } of tableRows(opened.table, schema, opened.places)) {
        for (const { error } of bad.values()) throw error;
      }
    }
  } catch (error) {
    await opened?.table.close();
    const place = { ...about, rows: 0 };
    await options.onDeadLetter?.(deadLetter(place, (error as Error).message, new Uint8Array(0)));
    yield { batch: null, items: [{ rows: 0, place }] };
    return;
  }
  try {
    yield { batch: null, items: [{ rows: 0, place: { ...about, rows: skip } }] };
    for await (const piece of tableRows(opened.table, schema, opened.places, skip)) {
      if (piece.rows === 0) continue;
      yield { batch: schema.batchOf([piece]), items: [{ rows: piece.rows, place: { ...about, rows: piece.upTo } }] };
      const now = await statsOf(path);
      if (now !== undefined) requireSame(path, stats, now, false);
    }
  } finally {
    await opened.table.close();
  }
}

/** Opens a table with the columns of the stream, which it fixes if it is the first. */
async function openArrived(path: string, schema: LiveSchema) {
  const format = await formatOf(byteSource(path, path));
  const isText = format === 'csv' || format === 'ndjson';
  if (isText && schema.columns() === null) {
    const sampled = await openTable(path, { types: schema.types() });
    schema.fix(sampled.fields, format);
    await sampled.close();
  }
  const table = schema.leveled(await openTable(path, isText ? { types: schema.types() } : {}));
  const places = schema.fix(table.fields, format)
    ? schema.placesIn(table.fields, format)
    : 'there is no column that can be read';
  if (typeof places !== 'string') return { table, places };
  await table.close();
  throw dataError({ table: path }, places);
}

/** Every row that the file states, whatever it holds. */
async function* privatePieces(file: ArrivedFile): AsyncGenerator<Piece> {
  const { path, name, stats, options, used } = file;
  const before = used === null ? null : String(used.seal);
  const about = { file: name, seal: await sealOfFile(path, name, sealing(keyOf(path, options), before)) };
  if (before !== null && before !== about.seal) throw changed(path, 'was changed after rows of it were used');
  const skip = Number(used?.rows ?? 0);
  const format = formatByName(path) ?? (await formatOf(byteSource(path, path)).catch(() => null));
  const placeAt = (rows: number): Json => ({ ...about, rows });
  yield { batch: null, items: [{ rows: 0, place: placeAt(skip) }] };
  const all = format === 'csv' || format === 'ndjson' ? privateLines : privateTable;
  for await (const piece of all(file, skip, placeAt, format === 'csv')) {
    yield piece;
    const now = await statsOf(path);
    if (now !== undefined) requireSame(path, stats, now, true);
  }
}

/** Of the name and all that can be read. */
async function sealOfFile(path: string, name: string, seal: Sealing): Promise<string> {
  seal.add(`${name}\n`);
  try {
    for await (const chunk of byteSource(path, path).read()) seal.add(chunk);
  } catch {
    // Nobody may learn what is wrong with it; where it can be read later, it is another file.
  }
  return seal.end();
}

/** One row for every line, below the header of CSV. */
async function* privateLines(
  { path, schema, options }: ArrivedFile,
  skip: number,
  placeAt: (rows: number) => Json,
  isCsv: boolean,
): AsyncGenerator<Piece> {
  const source = byteSource(path, path);
  const bom = await bomLength(source.look());
  const header = isCsv
    ? await csvHeader(source.look(), { table: path, skip: bom, malformed: 'nulls' }).catch(() => null)
    : null;
  const lines = linesOf(after(source.read(), header?.length ?? bom), { placeOf: line => line });
  // Without a header that can be read, nothing says which cell is which.
  const isLost = isCsv && header === null;
  async function* groups(): AsyncGenerator<readonly Message[]> {
    for await (const group of lines) {
      yield group.flatMap(({ place, ...message }) => {
        const row = (place as number) - (isLost ? 1 : 0);
        const problem = isLost ? { problem: 'has no header' } : {};
        return row > skip ? [{ ...message, ...problem, place: placeAt(row) }] : [];
      });
    }
  }
  yield* arrivalsOf(groups(), { ...options, name: path, schema, text: header === null ? JSON_ROWS : csvRows(header) });
}

/** The rows of an Arrow or Parquet file; the rest as nulls, from the first piece on that cannot be read. */
async function* privateTable(
  { path, schema }: ArrivedFile,
  skip: number,
  placeAt: (rows: number) => Json,
): AsyncGenerator<Piece> {
  let [upTo, stated] = [skip, 1];
  try {
    const table = schema.leveled(await openTable(path));
    try {
      stated = await rowsStated(table);
      const places = schema.placesIn(table.fields, table.format) as readonly (number | null)[];
      for await (const piece of tableRows(table, schema, places, skip)) {
        if (piece.rows === 0) continue;
        upTo = piece.upTo;
        yield { batch: schema.batchOf([piece]), items: [{ rows: piece.rows, place: placeAt(upTo) }] };
      }
    } finally {
      await table.close();
    }
  } catch {
    // Nobody may learn what is wrong with rows.
  }
  while (upTo < stated) {
    const rows = Math.min(BATCH_ROWS, stated - upTo);
    upTo += rows;
    yield { batch: schema.nulls(rows), items: [{ rows, place: placeAt(upTo) }] };
  }
}

/** The rows that metadata state, as far as they can be read. */
async function rowsStated(table: Table): Promise<number> {
  if (table.rows !== null) return table.rows;
  let rows = 0;
  try {
    for await (const frame of table.frames([])) rows += frame.rows;
  } catch {
    // Those that came before count.
  }
  return rows;
}
