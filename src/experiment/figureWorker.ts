/** The program of a crew's member: answers every task with its points, and tells of its work on the way. */

import { figureByName } from './figures.ts';
import type { FigureAnswer, FigureTask } from './figureTask.ts';
import { runFigure } from './runFigure.ts';

const answer = (given: FigureAnswer): void => {
  process.send!(given);
};

process.on('message', async ({ figure, seed }: FigureTask) => {
  try {
    const points = await runFigure(figureByName(figure), seed, { onWork: work => answer({ work }) });
    answer({ work: 0, points });
  } catch (error) {
    answer({ work: 0, failure: error instanceof Error ? error.message : String(error) });
  }
});
process.on('disconnect', () => process.exit());
