/** What a promise gives, or the reason of the signal if that comes first: what it gives later is passed to `late`. */
export async function untilAborted<T>(
  promise: PromiseLike<T>,
  signal: AbortSignal | undefined,
  late?: (value: T) => unknown,
): Promise<T> {
  if (signal === undefined) return promise;
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
  });
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  try {
    return await Promise.race([aborted, promise]);
  } catch (error) {
    // Nobody waits for what comes now, so that a failure is nobody's.
    if (signal.aborted)
      Promise.resolve(promise)
        .then(late)
        .catch(() => {});
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Items between two turns of the loop of events, each of which takes microseconds. */
export const PULLS_PER_TURN = 16;

/**
 * The items of a source one after another, and the reason of the signal as soon as it is aborted, even while the source
 * waits for its next item. A source that never waits is interrupted now and then, so that signals and timers have their
 * turn.
 */
export async function* itemsUntilAborted<T>(
  source: AsyncIterable<T> | Iterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  signal?.throwIfAborted();
  const items = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  let isOver = false;
  try {
    for (let pulls = 1; ; pulls++) {
      const next = await untilAborted(Promise.resolve(items.next()), signal).catch(error => {
        // A source that has failed is over; one that is left while it waits is told below.
        isOver = !signal?.aborted;
        throw error;
      });
      if (pulls % PULLS_PER_TURN === 0) await new Promise(setImmediate);
      signal?.throwIfAborted();
      isOver = next.done === true;
      if (next.done) return;
      yield next.value;
    }
  } finally {
    if (!isOver) {
      const stopped = Promise.resolve(items.return?.());
      // A generator stops only when what it waits for has come.
      if (signal?.aborted) stopped.catch(() => {});
      else await stopped;
    }
  }
}
