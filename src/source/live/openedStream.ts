import { ArgumentError, type DataError, dataError } from '../../errors.ts';
import type { Arrival, Json, OpenLiveOptions, OpenStream } from './liveSource.ts';

export interface StreamParts extends Pick<OpenStream, 'identity' | 'endless'> {
  readonly name: string;
  /** Ends soon after `stop` is aborted: whatever it waits for, it waits for with `untilStopped` or `pause`. */
  arrivals(stop: AbortSignal): AsyncGenerator<Arrival>;
  readonly lag?: () => number | null;
  /** Gives back what was taken when the stream was opened, if it is closed or left; may be called several times. */
  readonly release?: () => Promise<void>;
}

/**
 * A stream that can be left at any time: leaving the loop and `close` end it quietly, the signal of the options ends it
 * with its reason.
 */
export function openedStream(
  { name, identity, endless, arrivals, lag = () => null, release = async () => {} }: StreamParts,
  { signal }: Pick<OpenLiveOptions, 'signal'>,
): OpenStream {
  const stop = new AbortController();
  let isTaken = false;
  const abort = (): void => {
    stop.abort(signal!.reason);
    // Whoever reads gives it back at the end.
    if (!isTaken) void release();
  };
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  let running: Promise<void> = Promise.resolve();

  async function* taken(): AsyncGenerator<Arrival> {
    if (isTaken) throw dataError({ table: name }, 'can be read only once', 'open the stream again');
    isTaken = true;
    let ended = (): void => {};
    running = new Promise(resolve => {
      ended = resolve;
    });
    try {
      stop.signal.throwIfAborted();
      yield* arrivals(stop.signal);
    } catch (error) {
      if (!stop.signal.aborted) throw error;
      signal?.throwIfAborted();
    } finally {
      signal?.removeEventListener('abort', abort);
      await release();
      ended();
    }
  }
  const iterable = taken();
  return {
    identity,
    endless,
    arrivals: iterable,
    lag,
    close: async () => {
      stop.abort(new ArgumentError(`${name} has been closed`, 'ERR_CONFLICT', { source: name }));
      await Promise.race([running, iterable.return(undefined)]);
      await release();
    },
  };
}

/** What a promise resolves to, unless the stream is stopped before: for what cannot be told to end. */
export async function untilStopped<T>(promise: Promise<T>, stop: AbortSignal): Promise<T> {
  let reject = (): void => {};
  const stopped = new Promise<never>((_, refuse) => {
    reject = () => refuse(stop.reason);
  });
  stop.addEventListener('abort', reject);
  if (stop.aborted) reject();
  try {
    return await Promise.race([promise, stopped]);
  } finally {
    stop.removeEventListener('abort', reject);
  }
}

/** Pulls from an iterable that may hang: it is told to end without being waited for. */
export async function* pulledUntil<T>(source: AsyncIterable<T> | Iterable<T>, stop: AbortSignal): AsyncGenerator<T> {
  const values = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  let isOver = false;
  try {
    for (;;) {
      const pulled = values.next();
      const next = pulled instanceof Promise ? await untilStopped(pulled, stop) : await pulled;
      stop.throwIfAborted();
      isOver = next.done === true;
      if (next.done) return;
      yield next.value;
    }
  } catch (error) {
    // A source that has failed is over.
    isOver = !stop.aborted;
    throw error;
  } finally {
    if (!isOver) {
      const ended = Promise.resolve(values.return?.()).catch(() => {});
      if (!stop.aborted) await ended;
    }
  }
}

/** Refuses a checkpoint of another stream, and names the difference. */
export function requireIdentity(name: string, identity: Json, { from, identity: stored }: OpenLiveOptions): void {
  if (from === null || stored === undefined) return;
  const [was, is] = [stored, identity].map(each => JSON.stringify(each));
  if (was !== is) throw changed(name, `is ${is}, but the checkpoint is of ${was}`);
}

/** The error for a stream that is not the one that was read before. */
export const changed = (name: string, difference: string): DataError =>
  dataError({ table: name }, difference, 'bring back what was read, or start without the checkpoint', 'ERR_CHANGED');

/** The members of a place that this kind of source has stored; a place of another kind is refused. */
export function placeOf<Names extends string>(
  name: string,
  { from }: OpenLiveOptions,
  ...names: readonly Names[]
): Readonly<Record<Names, Json>> | null {
  const after = from?.after ?? null;
  if (after === null) return null;
  const isOurs = typeof after === 'object' && names.every(each => each in after);
  if (!isOurs) throw changed(name, `has no such place as ${JSON.stringify(after)}`);
  return after as Readonly<Record<Names, Json>>;
}
