import { expect } from 'chai';
import { type Progress, watchedRun } from '../../src/fit/call.ts';
import { estimate } from '../../src/fit/estimate.ts';
import { normal } from '../../src/math/random/normal.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { lossByName } from '../../src/method/loss/lossByName.ts';
import { samplesOf } from '../../src/sample/samples.ts';

/** A run of 3 steps on 30,000 rows, and what it tells: every phase once with the rows that it counts. */
async function shown(order: 'shuffle' | 'as-is', stepSize?: number): Promise<string[]> {
  const random = seeded(1, 'watched');
  const x = Float64Array.from({ length: 30_000 }, () => normal(random));
  const y = x.map(value => value + normal(random));
  const said: string[] = [];
  await estimate(
    { x, y },
    {
      target: 'y',
      order,
      loss: lossByName('pseudo-huber', { parameter: 1 }),
      steps: 3,
      mode: 'full',
      ...(stepSize === undefined ? {} : { stepSize }),
      onProgress: ({ phase, rows, of }) => {
        if (rows > 0 && !said.includes(phase)) said.push(phase);
        if (rows > 0) expect(of).to.equal(30_000);
      },
    },
  );
  return said;
}

describe('watchedRun', () => {
  /** Whether the pilot is told of depends on how its rows are read. */
  const isNoPilot = (phase: string): boolean => phase !== 'pilot';
  const steps = ['step 1/3', 'step 2/3', 'step 3/3'];

  it('tells of every step of a run on shuffled rows', async () => {
    expect((await shown('shuffle')).filter(isNoPilot)).to.deep.equal(['shuffling', ...steps]);
  });

  it('says that rows are shuffled where the plan was made before they were', async () => {
    expect(await shown('shuffle', 0.5)).to.deep.equal(['shuffling', ...steps]);
  });

  it('says what a pass ahead of everything else is for', async () => {
    const said: string[] = [];
    const onProgress = ({ phase }: Progress): void => {
      if (said.at(-1) !== phase) said.push(phase);
    };
    const { source, shuffled } = watchedRun({ onProgress }, 'step 1', 'second moments', 'shuffling');
    const rows = samplesOf({ rows: 1, columns: [Float64Array.of(1)], target: Float64Array.of(1) });
    for (const pass of [source(rows), source(rows), shuffled(rows)]) for await (const _ of pass.batches());
    expect(said).to.deep.equal(['second moments', 'shuffling', 'step 1']);
  });

  it('tells of every step of a run on rows as they come', async () => {
    expect((await shown('as-is')).filter(isNoPilot)).to.deep.equal(steps);
  });
});
