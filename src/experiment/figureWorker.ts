/** The program of a crew's member: answers every task with its points, and tells of its work on the way. */

import { exhibitByName } from './exhibits.ts';
import type { FigureAnswer, FigureTask } from './figureTask.ts';

const answer = (given: FigureAnswer): void => {
  process.send!(given);
};

process.on('message', async ({ figure, seed, ...only }: FigureTask) => {
  try {
    const points = await exhibitByName(figure).run(seed, { ...only, onWork: work => answer({ work }) });
    answer({ work: 0, points });
  } catch (error) {
    answer({ work: 0, failure: error instanceof Error ? error.message : String(error) });
  }
});
process.on('disconnect', () => process.exit());
