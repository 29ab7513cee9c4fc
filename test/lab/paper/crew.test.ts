import { expect } from 'chai';
import { runTasks } from '../../../src/lab/paper/crew.ts';
import type { Point } from '../../../src/lab/paper/figure.ts';

describe('runTasks', () => {
  const tasks = [0, 1, 2].map(seed => ({ figure: 'plot4', seed }));
  const run = async (processes: number) => {
    const found = new Map<number, readonly Point[]>();
    let work = 0;
    await runTasks(tasks, {
      processes,
      onWork: more => {
        work += more;
      },
      onDone: async ({ seed }, points) => {
        found.set(seed, points);
      },
    });
    return { work, points: [0, 1, 2].map(seed => found.get(seed)) };
  };

  it('gives the same bits in one process and in two, and tells of the same work', async () => {
    const [alone, together] = [await run(1), await run(2)];
    expect(alone.points[2]).to.have.length.above(100);
    expect(together).to.deep.equal(alone);
  });

  it('ends with the error of a task, and leaves nobody running', async () => {
    let failure: unknown;
    try {
      await runTasks([{ figure: 'plot9', seed: 0 }, ...tasks], { processes: 2, onDone: async () => {} });
    } catch (error) {
      failure = error;
    }
    expect(String(failure)).to.include('plot9, seed 0: figure must be one of plot1,');
  });
});
