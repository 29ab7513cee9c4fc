import type { Samples } from '../../index.ts';
import type { Progress } from '../render/progress.ts';

/**
 * Progress of a run as its rows pass: shuffled rows are read once for the shuffle, and then as often as the steps need.
 */
export interface WatchedRun {
  /** Rows in their original order. */
  source(samples: Samples): Samples;
  /** The same rows after the shuffle. */
  shuffled(samples: Samples): Samples;
  /** Sets the current phase, apart from the shuffle, which may come after the plan is made. */
  phase(name: string): void;
}

/** `before` is the purpose of a pass over the rows in their original order, ahead of everything else. */
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
