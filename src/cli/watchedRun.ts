import type { Samples } from '../index.ts';
import type { Progress } from './progress.ts';

/** What a run on rows is doing, as they pass: rows that are shuffled are read once for that, and then as often as the steps need. */
export interface WatchedRun {
  /** Rows in their own order. */
  source(samples: Samples): Samples;
  /** The same rows once they are shuffled. */
  shuffled(samples: Samples): Samples;
  /** What is under way, but for the shuffling, which may well come after the plan. */
  phase(name: string): void;
}

export function watchedRun(shown: Progress, order: 'shuffle' | 'as-is', first: string): WatchedRun {
  let stage = first;
  let isShuffling = order === 'shuffle';
  shown.phase(isShuffling ? 'shuffling' : stage);

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
        if (isShuffling) shown.phase(stage);
        isShuffling = false;
      }),
    shuffled: samples => counted(samples, () => {}),
    phase: name => {
      stage = name;
      if (!isShuffling) shown.phase(stage);
    },
  };
}
