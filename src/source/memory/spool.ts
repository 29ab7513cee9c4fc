import { statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { DataError, dataError, refuse } from '../../errors.ts';
import { gatheredReads } from '../../sample/shuffle/gatheredReads.ts';
import { openScratchFile, type ScratchUse, writeAll } from '../../sample/shuffle/scratchFile.ts';
import { counted } from '../../words.ts';
import { fileRegion, memoryRegion } from '../arrow/region.ts';
import type { Table } from '../table/table.ts';
import { batchHolder, type Store } from './heldBatch.ts';
import { memoryTables } from './memoryTables.ts';
import { type ArrowBatch, type BatchesOnce, isObservable, type Subscribable } from './rowSource.ts';

export interface SpoolOptions {
  /** Rows are kept in memory up to this many bytes, and in a temporary file beyond; 64 MiB unless given. */
  readonly memoryBytes?: number;
  /**
   * The most bytes of the temporary file; 16 GiB unless given, and never more than half of the free space. A source that
   * needs more is refused, because it may have no end.
   */
  readonly scratchBytes?: number;
  /** The folder for a temporary file; the system's folder unless given. */
  readonly scratch?: string;
  /** The rows to take, and no more; all unless given. */
  readonly rows?: number;
  readonly signal?: AbortSignal;
}

const NAME = 'the batches';

/** Batches between two turns of the loop of events, each of which takes microseconds. */
export const PULLS_PER_TURN = 16;

const MEMORY_BYTES = 2 ** 26;

/** What to use instead of a source that does not end. */
const WAYS =
  'for rows that keep coming, use `estimateOnline`, or cut them into chunks with `split`; to take only the first, give their number as `rows`';

/**
 * Reads batches once, to their end, and keeps copies of them, because their memory may be reused after the next one is
 * pulled. A source may say by `endless: true` that it has no end, and is refused; another one is found out when its
 * copies need more than `scratchBytes`.
 */
export async function spool(
  source: BatchesOnce & { readonly endless?: boolean },
  { memoryBytes = MEMORY_BYTES, scratchBytes, scratch = tmpdir(), rows = Infinity, signal }: SpoolOptions,
): Promise<readonly Table[]> {
  if (!(memoryBytes >= 0)) refuse('memoryBytes', 'be a number of at least 0', memoryBytes);
  if (source.endless && rows === Infinity) throw dataError({ table: NAME }, 'have no end', WAYS, 'ERR_ENDLESS');
  // Opened before it is needed, because an Observable does not wait; refused only when it is needed.
  const file = await openScratchFile(0, scratch, USE).catch((error: DataError) => error);
  const readAt = file instanceof DataError ? undefined : gatheredReads(file);
  const room = file instanceof DataError ? undefined : scratchRoom(scratch, scratchBytes);
  let [held, written, taken] = [0, 0, 0];

  const store: Store = (bytes, damaged) => {
    if (held + bytes.length <= memoryBytes) {
      held += bytes.length;
      return memoryRegion(bytes.slice(), damaged);
    }
    if (file instanceof DataError) throw file;
    const position = written;
    written += bytes.length;
    if (written > room!.bytes) throw overfull(NAME, room!, counted(taken, 'row'));
    writeAll(file.fd, bytes, position, scratch, writeSync, USE);
    return fileRegion(readAt!, position, bytes.length, damaged);
  };
  const close = async (): Promise<void> => {
    if (!(file instanceof DataError)) await file.close();
  };
  try {
    const { groups, add } = batchHolder(NAME, store);
    await drain(source, signal, batch => {
      taken += add(batch);
      return taken >= rows;
    });
    if (written === 0) await close();
    return memoryTables(NAME, groups, written === 0 ? async () => {} : once(close));
  } catch (error) {
    await close();
    throw error;
  }
}

const USE: ScratchUse = {
  name: 'rows that can be read once',
  instead: 'use `memoryBytes` to keep more of them in memory',
};

/** How much of a folder a source that is read once may take. */
export interface ScratchRoom {
  readonly bytes: number;
  /** What limits it, and what lifts the limit. */
  readonly limit: string;
  readonly wayOut: string;
}

/** A few times the memory of a usual machine, and written in a minute or two. */
const SCRATCH_BYTES = 2 ** 34;

export function scratchRoom(folder: string, asked = SCRATCH_BYTES): ScratchRoom {
  if (!(asked > 0)) refuse('scratchBytes', 'be a number above 0', asked);
  const { bavail, bsize } = statfsSync(folder);
  const half = (bavail * bsize) / 2;
  return asked <= half
    ? { bytes: asked, limit: `the ${asked} bytes of \`scratchBytes\``, wayOut: 'give more `scratchBytes`' }
    : {
        bytes: half,
        limit: `half of the free space of ${folder}`,
        wayOut: 'use `scratch` to name a folder with more space',
      };
}

export const overfull = (table: string, { limit, wayOut }: ScratchRoom, taken: string): DataError =>
  dataError(
    { table },
    `fill ${limit} after ${taken}, and there are more`,
    `${WAYS}; if they do end, ${wayOut}`,
    'ERR_TOO_LARGE',
  );

/** Gives every batch to `take` until that has enough, and ends the source in any case. */
async function drain(source: BatchesOnce, signal: AbortSignal | undefined, take: Take): Promise<void> {
  signal?.throwIfAborted();
  const { done, stop } = isObservable(source) ? pushed(source, take) : pulled(source, take);
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal!.reason);
  });
  signal?.addEventListener('abort', abort);
  try {
    await Promise.race([done, aborted]);
  } finally {
    signal?.removeEventListener('abort', abort);
    const stopped = stop();
    // A generator stops only when what it waits for has come.
    if (!signal?.aborted) await stopped;
  }
}

/** Returns whether it has enough. */
type Take = (batch: ArrowBatch) => boolean;

interface Draining {
  readonly done: Promise<void>;
  /** Nothing is taken afterwards. */
  stop(): Promise<void>;
}

function pulled(source: Exclude<BatchesOnce, { subscribe: unknown }>, take: Take): Draining {
  const batches = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  let isOver = false;
  const pullAll = async (): Promise<void> => {
    for (let pulls = 1; ; pulls++) {
      const next = await batches.next();
      // A source that never waits would keep signals and timers waiting for ever.
      if (pulls % PULLS_PER_TURN === 0) await new Promise(setImmediate);
      if (next.done) isOver = true;
      if (isOver || next.done || take(next.value)) return;
    }
  };
  return {
    done: pullAll(),
    stop: async () => {
      if (isOver) return;
      isOver = true;
      await batches.return?.();
    },
  };
}

/**
 * The observer is also a subscription, by its shape: RxJS then asks it after every batch whether it is closed, so that
 * a source that emits without a pause, before `subscribe` returns, can be stopped too.
 */
export function pushed(source: Subscribable<ArrowBatch>, take: Take): Draining {
  let stop = (): void => {};
  const done = new Promise<void>((resolve, reject) => {
    const teardowns: unknown[] = [];
    const end = (settle: () => void): void => {
      if (observer.closed) return;
      observer.closed = true;
      for (const teardown of teardowns) tearDown(teardown);
      settle();
    };
    stop = () => end(resolve);
    const observer = {
      closed: false,
      next: (batch: ArrowBatch): void => {
        try {
          if (!observer.closed && take(batch)) stop();
        } catch (error) {
          observer.error(error);
        }
      },
      error: (problem: unknown): void => end(() => reject(problem)),
      complete: stop,
      unsubscribe: stop,
      add: (teardown: unknown): void => {
        if (observer.closed) tearDown(teardown);
        else teardowns.push(teardown);
      },
      remove: (): void => {},
    };
    const subscription: unknown = source.subscribe(observer);
    if (subscription !== observer) observer.add(subscription);
  });
  return { done, stop: async () => stop() };
}

function tearDown(teardown: unknown): void {
  if (typeof teardown === 'function') teardown();
  else (teardown as { unsubscribe?(): void } | undefined)?.unsubscribe?.();
}

/** Several tables share the file. */
function once(close: () => Promise<void>): () => Promise<void> {
  let closing: Promise<void> | undefined;
  return () => {
    closing ??= close();
    return closing;
  };
}
