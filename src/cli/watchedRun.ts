import type { Samples } from '../index.ts';
import type { Progress } from './progress.ts';

/**
 * What a run on rows is doing, as they pass: rows that are shuffled are read once for that, and then as often as the
 * steps need.
 */
export interface WatchedRun {
  /** Rows in their own order. */
  source(samples: Samples): Samples;
  /** The same rows once they are shuffled. */
  shuffled(samples: Samples): Samples;
  /** What is under way, but for the shuffling, which may well come after the plan. */
  phase(name: string): void;
}

/** `before` is what a pass over the rows in their own order is for, ahead of everything else. */
export function watchedRun(
  shown: Progress,
  order: 'shuffle' | 'as-is',
  first: string,
  before?: string,
): WatchedRun {
  let stage = first;
  const ahead = [...(before === undefined ? [] : [before]), ...(order === 'shuffle' ? ['shuffling'] : [])];
  shown.phase(ahead[0] ?? stage);

  const counted = (samples: Samples, atEnd: () => void): Samples => ({
    ...samples,
    async *batches() {
      let done = 0;
      shown.rows(done, samples.rows);
      for await (const batch of samples.batches()) {
        yield batch;
        done += batch.rows;
        shown.rows(done, samples.rows);
      }
      atEnd();
    },
  });
  return {
    source: samples =>
      counted(samples, () => {
        if (ahead.shift() !== undefined) shown.phase(ahead[0] ?? stage);
      }),
    shuffled: samples => counted(samples, () => {}),
    phase: name => {
      stage = name;
      if (ahead.length === 0) shown.phase(stage);
    },
  };
}
