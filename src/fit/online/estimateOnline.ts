import { Observable } from 'rxjs';
import { ArgumentError, refuse, requireInteger, requireKnown, requirePositive } from '../../errors.ts';
import type { LiveNews } from '../../sink/live/liveState.ts';
import type { DeadLetter, LiveColumns, LiveSource } from '../../source/live/liveSource.ts';
import type { BatchesOnce, RowSource } from '../../source/memory/rowSource.ts';
import type { CallOptions } from '../call.ts';
import type { LedgerEntry } from '../private/estimatePrivately.ts';
import type { OnlineEstimate, Output } from './onlineEstimate.ts';
import { type OnlineRequestOptions, requireRequest } from './onlineRequest.ts';
import type { Checkpointed, OnlineSession, Seams } from './onlineSession.ts';
import type { PlainCheckpoint } from './plainRun.ts';
import type { PrivateRunCheckpoint } from './privateRun.ts';

/** What is estimated from a stream, where it is kept, and who watches. */
export interface OnlineOptions extends OnlineRequestOptions, Pick<CallOptions, 'signal'> {
  /** Rows that come before the stream, in the same chunks and state: files, tables, or batches. */
  readonly history?: RowSource;
  /** The folder of checkpoints, from which a run goes on where it was stopped. Needed for a private run. */
  readonly checkpoint?: string;
  /** Milliseconds after its first row that a chunk is closed, however few rows it has. Not for a private run. */
  readonly every?: number;
  /** Take every estimate in turn, and are awaited; closed when the run ends. */
  readonly outputs?: readonly Output[];
  /** Takes records that could not be read; awaited. A private run has none. */
  readonly deadLetters?: (letter: DeadLetter) => Promise<void>;
  /** The share of the last 1,000 records that may be unreadable before the run ends with an error; 0.05 unless given. */
  readonly mostBad?: number;
  /** The rows after which the run ends, those of its history and of earlier parts included. */
  readonly untilRows?: number;
  /** Takes news of how the run is doing, between estimates. */
  readonly onStatus?: (news: LiveNews) => void;
  /** The share of intervals that hold; 0.95 unless given. */
  readonly level?: number;
  /** Where a private stream is charged, once, before noise is drawn. Needed unless there is a `seed`. */
  readonly ledger?: LedgerEntry;
  /** Draws the noise from a seed, which makes a simulation: the result says that it is not private. */
  readonly seed?: string | number;
}

/** Where rows of a stream come from: a source, its name as in `openLive`, or record batches of this process. */
export type OnlineSource = LiveSource | BatchesOnce | string;

/**
 * Keeps an estimate current while rows arrive: one estimate for each chunk of rows, as long as they come, and the last
 * one again when a run goes on from its checkpoint. Nothing is read before the Observable is subscribed to; each
 * subscription is a run. Unsubscribing stops the source, and a chunk is taken only when the last one is on disk and
 * every output has its estimate, so that a slow output holds the stream back.
 *
 * Exactly once. The checkpoint of a chunk holds the state after it and the position behind it in one file, which is
 * replaced whole; then outputs get the estimate. A run that is killed goes on from there, and publishes the last
 * estimate again.
 *
 * Guarantee, of a run with `epsilon`. That of `planPrivateOnline`, for all that leaves: estimates, checkpoints, errors,
 * status. Rows count as positions before they are decoded, one that cannot be used adds nothing in its place, and a
 * release is on disk before anything is made of it. The file beside the ledger that counts releases refuses a
 * checkpoint that was restored from a copy.

 */
export function estimateOnline(source: OnlineSource, options: OnlineOptions): Observable<OnlineEstimate> {
  return conducted(source, options);
}

/** The same with a disk of the caller's. */
export function conducted(source: OnlineSource, options: OnlineOptions, seams: Seams = {}): Observable<OnlineEstimate> {
  requireOptions(options);
  return new Observable(subscriber => {
    const stop = new AbortController();
    const { signal: asked } = options;
    const signal = asked === undefined ? stop.signal : AbortSignal.any([asked, stop.signal]);
    const run = async (): Promise<void> => {
      signal.throwIfAborted();
      // Loaded on demand, because a library must start fast.
      const { onlineSession } = await import('./onlineSession.ts');
      const stream = await sourceOf(source);
      let kinds = (): LiveColumns | null => null;
      const { history } = options;
      const live =
        history === undefined
          ? stream
          : (await import('../../source/live/historyFirst.ts')).historyFirst(history, stream, () => kinds());
      const watch = <S extends Pick<OnlineSession<Checkpointed>, 'kinds'>>(session: S): S => {
        ({ kinds } = session);
        return session;
      };
      const watched = { signal, stop, seams, emit: (estimate: OnlineEstimate) => subscriber.next(estimate) };
      if (options.epsilon === undefined) {
        const { plainRun } = await import('./plainRun.ts');
        await ended(watch(onlineSession<PlainCheckpoint>(live, options, watched)), plainRun);
      } else {
        const { privateRun } = await import('./privateRun.ts');
        await ended(watch(onlineSession<PrivateRunCheckpoint>(live, options, watched)), privateRun);
      }
    };
    run().then(
      () => subscriber.complete(),
      error => subscriber.error(signal.aborted ? signal.reason : error),
    );
    return () => stop.abort(new Error('the run was stopped'));
  });
}

/** Runs to the end, and closes all that was opened, whatever the end is. */
async function ended<S extends Pick<OnlineSession<Checkpointed>, 'tell' | 'close'>>(
  session: S,
  run: (session: S) => Promise<void>,
): Promise<void> {
  try {
    await run(session);
    session.tell({ phase: 'ended', progress: null });
  } finally {
    await session.close();
  }
}

function requireOptions(options: OnlineOptions): void {
  requireKnown(
    options,
    'bounds categorical checkpoint chunk deadLetters delta epsilon every features forget history intercept ledger level loss maxPerUnit mostBad nulls onAlarm onStatus outputs penalty perChunk seed signal target types unit untilRows weights',
  );
  requireRequest(options);
  const { epsilon, every, mostBad, untilRows, level, ledger, checkpoint, seed } = options;
  if (every !== undefined) requirePositive('`every`', every);
  if (untilRows !== undefined) requireInteger('`untilRows`', untilRows, 1);
  if (mostBad !== undefined && !(mostBad >= 0 && mostBad <= 1)) refuse('`mostBad`', 'be a share from 0 to 1', mostBad);
  if (level !== undefined && !(level > 0 && level < 1)) refuse('`level`', 'be in (0, 1)', level);
  if (epsilon === undefined) {
    const found = (['ledger', 'seed'] as const).find(name => options[name] !== undefined);
    if (found !== undefined)
      throw new ArgumentError(
        `\`${found}\` is for private runs; give \`epsilon\` too, or leave it out`,
        'ERR_CONFLICT',
        { arguments: [found, 'epsilon'] },
      );
    return;
  }
  const shown = (['every', 'deadLetters', 'mostBad'] as const).find(name => options[name] !== undefined);
  if (shown !== undefined)
    throw new ArgumentError(
      `\`${shown}\` is not for private runs, which nothing that rows hold or when they come may show in; leave it out`,
      'ERR_NOT_PRIVATE',
      { argument: shown },
    );
  if (seed === undefined && (ledger === undefined || checkpoint === undefined))
    throw new ArgumentError(
      `a private stream needs \`checkpoint\`, the folder that keeps each release before it is used, and \`ledger\`, beside which a file counts releases: without ${ledger === undefined ? 'that witness' : 'the folder'} rows could be released a second time after a crash, with new noise; give \`ledger: { file, dataset }\` and \`checkpoint\`, or a \`seed\` for a simulation`,
      'ERR_NOT_PRIVATE',
      { arguments: ['checkpoint', 'ledger'] },
    );
}

/** Every way of giving a stream, as one. */
async function sourceOf(given: OnlineSource): Promise<LiveSource> {
  if (typeof given === 'string') {
    const { openLive } = await import('../../source/live/openLive.ts');
    return openLive(given);
  }
  if (isLiveSource(given)) return given;
  const { batchStream } = await import('../../source/live/batchStream.ts');
  return batchStream(given as BatchesOnce);
}

/** Readers of Arrow streams and of files can be opened too, but are batches themselves. */
const isLiveSource = (given: object): given is LiveSource =>
  'open' in given &&
  typeof given.open === 'function' &&
  !(Symbol.iterator in given) &&
  !(Symbol.asyncIterator in given);
