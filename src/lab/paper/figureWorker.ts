/** The program of a worker process: answers every task with its points, and reports its progress. */

import { exhibitByName } from './exhibits.ts';
import type { Point } from './figure.ts';

/** One seed of one exhibit: the request to a process. */
export interface FigureTask {
  readonly figure: string;
  readonly seed: number;
  /** Only this reading; all of them unless given. */
  readonly reading?: string;
}

export interface FigureAnswer {
  /** Work done since the previous answer. */
  readonly work: number;
  /** All points of the task, in its last answer. */
  readonly points?: readonly Point[];
  /** Why there are no points. */
  readonly failure?: string;
}

const answer = (given: FigureAnswer): void => {
  process.send!(given);
};

/** In milliseconds: a run can be shorter than sending a message takes. */
const BETWEEN_MESSAGES = 100;

process.on('message', async ({ figure, seed, ...only }: FigureTask) => {
  let untold = 0;
  let told = performance.now();
  const onWork = (work: number): void => {
    untold += work;
    if (performance.now() < told + BETWEEN_MESSAGES) return;
    answer({ work: untold });
    untold = 0;
    told = performance.now();
  };
  try {
    const points = await exhibitByName(figure).run(seed, { ...only, onWork });
    answer({ work: untold, points });
  } catch (error) {
    answer({ work: 0, failure: error instanceof Error ? error.message : String(error) });
  }
});
process.on('disconnect', () => process.exit());
