import { availableParallelism } from 'node:os';
import { requireInteger } from '../errors.ts';
import { MOST_THREADS } from '../sample/kernelRegion.ts';
import type { Samples } from '../sample/samples.ts';

/** What a long call is doing, and how far it is. */
export interface Progress {
  /** Such as `shuffling`, `pilot` or `step 3/12`. */
  readonly phase: string;
  /** Rows of this pass read so far, of how many; Infinity where that is unknown. */
  readonly rows: number;
  readonly of: number;
}

/** How a long call is watched, and stopped. */
export interface CallOptions {
  /** Stops the call where it is, with the signal's reason; nothing that was charged is taken back. */
  readonly signal?: AbortSignal;
  /** Is called a few times for every batch of rows. */
  readonly onProgress?: (progress: Progress) => void;
}

/**
 * Tells of a run as its rows pass: shuffled rows are read once for the shuffle, and then as often as the steps need.
 * `before` are the purposes of passes over the rows in their original order, before everything else.
 */
export function watchedRun({ signal, onProgress }: CallOptions, first: string, ...before: readonly string[]) {
  const ahead = [...before];
  let stage = first;
  const tell = (rows = 0, of = Infinity): void => onProgress?.({ phase: ahead[0] ?? stage, rows, of });

  const counted = (samples: Samples, atEnd: () => void): Samples => ({
    ...samples,
    async *batches() {
      let done = 0;
      tell(done, samples.rows);
      for await (const batch of samples.batches()) {
        signal?.throwIfAborted();
        yield batch;
        done += batch.rows;
        tell(done, samples.rows);
      }
      signal?.throwIfAborted();
      atEnd();
    },
  });
  tell();
  return {
    /** Rows in their original order. */
    source: (samples: Samples): Samples =>
      counted(samples, () => {
        if (ahead.shift() !== undefined) tell();
      }),
    /** The same rows after the shuffle. */
    shuffled: (samples: Samples): Samples => counted(samples, () => {}),
    /** Sets the current phase, apart from the shuffle, which may come after the plan is made. */
    phase: (name: string): void => {
      signal?.throwIfAborted();
      stage = name;
      if (ahead.length === 0) tell();
    },
  };
}

/** How queries of an engine are watched: each is told of by its share, as rows would be. */
export const watchedQueries = ({ signal, onProgress }: CallOptions) => ({
  signal,
  onProgress:
    onProgress && ((share: number) => onProgress({ phase: 'engine', rows: Math.round(100 * share), of: 100 })),
});

/** The options that are given: those of `names`, or all, without the undefined ones. */
export function given<T extends object, K extends keyof T = keyof T>(
  options: T,
  names: readonly K[] = Object.keys(options) as K[],
): { [N in K]?: Exclude<T[N], undefined> } {
  const found = names.flatMap(name => (options[name] === undefined ? [] : [[name, options[name]] as const]));
  return Object.fromEntries(found) as { [N in K]?: Exclude<T[N], undefined> };
}

/** Values below which a fit ends before a second thread has started, which takes some 30 ms. */
const FEW_VALUES = 2 ** 20;

/** Threads for a run over these rows. */
export function threadsFor({ rows, features }: Pick<Samples, 'rows' | 'features'>, asked?: number): number {
  if (asked !== undefined) return requireInteger('threads', asked, 1, MOST_THREADS);
  return rows * features < FEW_VALUES ? 1 : Math.min(availableParallelism(), MOST_THREADS);
}
