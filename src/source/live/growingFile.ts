import { type FileHandle, open, stat } from 'node:fs/promises';
import { requirePositive } from '../../errors.ts';
import { counted } from '../../words.ts';
import { fileError } from '../table/fileError.ts';
import { LF } from '../text/ascii.ts';
import { digestOf, linesOf } from './lines.ts';
import { liveSchema } from './liveSchema.ts';
import type { Arrival, LiveSource, OpenLiveOptions } from './liveSource.ts';
import { changed, openedStream, placeOf, requireIdentity } from './openedStream.ts';
import { arrivalsOf, JSON_ROWS, type Message } from './records.ts';
import { type Watched, watched } from './watched.ts';

/** How a growing file or a folder is watched. */
export interface WatchOptions {
  /** Milliseconds between two looks, where the system gives no notice; a second unless given. */
  readonly every?: number;
}

const CHUNK = 2 ** 20;

/** The first line, or as much of it as this, tells one file from another. */
const HEAD = 4096;

/**
 * A file of JSON objects, one per line, to which lines are appended. A line is read when it is complete. A file that is
 * truncated, replaced or moved away, as when a log is rotated, ends the stream with `ERR_CHANGED` when what was there
 * has been read: what another file holds may be anything, and nothing is skipped silently.
 *
 * A place is the number of bytes up to the end of a line, with a digest of the first line. In a private run it is the
 * number of the line, with when the file was made: lengths and digests of lines say what they hold. Every line is a row
 * then, also a blank one.
 */
export function growingFile(path: string, { every = 1000 }: WatchOptions = {}): LiveSource {
  requirePositive('every', every);
  const identity = { source: 'growing file' };
  return Object.freeze({
    name: path,
    open: async (options: OpenLiveOptions) => {
      requireIdentity(path, identity, options);
      const found = await stat(path).catch(error => {
        throw fileError(path, error);
      });
      if (found.isDirectory()) throw fileError(path, { code: 'EISDIR' });
      const file = await open(path).catch(error => {
        throw fileError(path, error);
      });
      const release = (): Promise<void> => file.close();
      try {
        const known = await knownOf(file, path, options);
        const arrivals = (stop: AbortSignal) => read(known, options, every, stop);
        return openedStream({ name: path, identity, endless: true, arrivals, release }, options);
      } catch (error) {
        await release();
        throw error;
      }
    },
  });
}

/** A file that has been found to be the one that was read before. */
interface Known {
  readonly file: FileHandle;
  readonly path: string;
  readonly before: Used;
  readonly made: { readonly file: number; readonly made: number };
}

async function knownOf(file: FileHandle, path: string, options: OpenLiveOptions): Promise<Known> {
  const { ino, birthtimeMs } = await file.stat();
  const made = { file: ino, made: birthtimeMs };
  const before = await (options.forPrivate ? usedLines(file, path, options, made) : usedBytes(file, path, options));
  return { file, path, before, made };
}

async function* read(
  { file, path, before, made }: Known,
  options: OpenLiveOptions,
  every: number,
  stop: AbortSignal,
): AsyncGenerator<Arrival> {
  const schema = await liveSchema(options);
  const changes = watched(path, every);
  try {
    const { forPrivate } = options;
    let head = before.head;
    const chunks = appended({ file, path, changes, stop }, before.bytes, async () => {
      const now = await headOf(file);
      if (head !== null && now !== head) throw changed(path, 'does not begin as it did when it was read before');
      head = now;
    });
    const placeAt = (line: number, bytes: number) => (forPrivate ? { line, ...made } : { bytes, head });
    const groups = linesOf(chunks, { before, placeOf: placeAt });
    yield* arrivalsOf(groups as AsyncIterable<readonly Message[]>, { ...options, name: path, schema, text: JSON_ROWS });
  } finally {
    changes.close();
  }
}

interface Used {
  readonly lines: number;
  readonly bytes: number;
  readonly head: string | null;
}

async function usedBytes(file: FileHandle, path: string, options: OpenLiveOptions): Promise<Used> {
  const place = placeOf(path, options, 'bytes', 'head');
  if (place === null) return { lines: 0, bytes: 0, head: null };
  const [bytes, head] = [Number(place.bytes), place.head as string];
  const { size } = await file.stat();
  if (size < bytes)
    throw changed(path, `has ${size} bytes, but ${bytes} were used before: it was truncated or replaced`);
  if ((await headOf(file)) !== head) throw changed(path, 'does not begin as it did when it was read before');
  const last = Buffer.alloc(1);
  await file.read(last, 0, 1, bytes - 1);
  if (last[0] !== LF) throw changed(path, `has no line that ends at byte ${bytes}, where one did when it was read`);
  return { lines: 0, bytes, head };
}

/** Counts the lines that were used, because a private place may not tell their length. */
async function usedLines(
  file: FileHandle,
  path: string,
  options: OpenLiveOptions,
  made: { readonly file: number; readonly made: number },
): Promise<Used> {
  const place = placeOf(path, options, 'line', 'file', 'made');
  if (place === null) return { lines: 0, bytes: 0, head: null };
  if (place.file !== made.file || place.made !== made.made)
    throw changed(path, 'was made anew since it was read before');
  const wanted = Number(place.line);
  const chunk = Buffer.allocUnsafeSlow(CHUNK);
  let lines = 0;
  for (let bytes = 0; ; ) {
    const { bytesRead } = await file.read(chunk, 0, CHUNK, bytes);
    const part = chunk.subarray(0, bytesRead);
    for (let at = part.indexOf(LF); at >= 0 && lines < wanted; at = part.indexOf(LF, at + 1))
      if (++lines === wanted) return { lines, bytes: bytes + at + 1, head: null };
    if (bytesRead === 0) throw changed(path, `has ${counted(lines, 'line')}, but ${wanted} were used before`);
    bytes += bytesRead;
  }
}

/** A digest of the first line, or of its beginning if it is long; null until it is there. */
async function headOf(file: FileHandle): Promise<string | null> {
  const bytes = Buffer.alloc(HEAD);
  const { bytesRead } = await file.read(bytes, 0, HEAD, 0);
  const end = bytes.indexOf(LF) + 1;
  return end > 0 || bytesRead === HEAD ? digestOf(bytes.subarray(0, end > 0 ? end : HEAD)) : null;
}

interface Appending {
  readonly file: FileHandle;
  readonly path: string;
  readonly changes: Watched;
  readonly stop: AbortSignal;
}

/** Bytes from a position on, as they are appended. `confirm` is called before new ones are given. */
async function* appended(
  { file, path, changes, stop }: Appending,
  from: number,
  confirm: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const chunk = Buffer.allocUnsafeSlow(CHUNK);
  let at = from;
  let isGone = false;
  for (;;) {
    stop.throwIfAborted();
    changes.look();
    const { bytesRead } = await file.read(chunk, 0, CHUNK, at);
    if (bytesRead > 0) {
      await confirm();
      at += bytesRead;
      yield chunk.subarray(0, bytesRead);
      continue;
    }
    if (isGone) throw changed(path, 'was moved away or replaced, as when a log is rotated; all that it held was read');
    const held = await file.stat();
    if (held.size < at) throw changed(path, 'was truncated: it has fewer bytes than were read');
    const found = await stat(path).catch(() => undefined);
    // What was appended just before it was moved is read first.
    isGone = found === undefined || found.ino !== held.ino || found.dev !== held.dev;
    if (!isGone) await changes.wait(stop);
  }
}
