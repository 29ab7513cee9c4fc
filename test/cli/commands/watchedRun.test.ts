import { expect } from 'chai';
import { watchedRun } from '../../../src/cli/commands/watchedRun.ts';
import { fitRows } from '../../../src/fit/fitRows.ts';
import { normal } from '../../../src/math/random/normal.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { lossByName } from '../../../src/method/loss/lossByName.ts';
import { samplesOf } from '../../../src/sample/samples.ts';

/** A run of 3 steps on 30,000 rows, and what it shows: every phase once with the rows that it counts. */
async function shown(order: 'shuffle' | 'as-is', stepSize?: number): Promise<string[]> {
  const random = seeded(1, 'watched');
  const x = Float64Array.from({ length: 30_000 }, () => normal(random));
  const target = x.map(value => value + normal(random));
  const said: string[] = [];
  let name = '';
  const watched = watchedRun(
    {
      phase: next => {
        name = next;
      },
      rows: (done, total) => {
        if (done > 0 && !said.includes(name)) said.push(name);
        expect(total).to.equal(30_000);
      },
      end: () => {},
    },
    order,
    'pilot',
  );
  await fitRows(watched.source(samplesOf({ rows: 30_000, columns: [x], target })), {
    order,
    loss: lossByName('pseudo-huber', { parameter: 1 }),
    steps: 3,
    mode: 'full',
    ...(stepSize === undefined ? {} : { stepSize }),
    shuffled: watched.shuffled,
    onPlan: () => watched.phase('step 1'),
    onIterate: ({ step }) => watched.phase(`step ${step + 1}`),
  });
  return said;
}

describe('watchedRun', () => {
  const steps = ['step 1', 'step 2', 'step 3'];

  it('shows every step of a run on shuffled rows', async () => {
    expect(await shown('shuffle')).to.deep.equal(['shuffling', ...steps]);
  });

  it('says that rows are shuffled where the plan was made before they were', async () => {
    expect(await shown('shuffle', 0.5)).to.deep.equal(['shuffling', ...steps]);
  });

  it('says what a pass ahead of everything else is for', async () => {
    const said: string[] = [];
    const { source, shuffled } = watchedRun(
      { phase: name => said.push(name), rows: () => {}, end: () => {} },
      'shuffle',
      'step 1',
      'second moments',
    );
    const rows = samplesOf({ rows: 1, columns: [Float64Array.of(1)], target: Float64Array.of(1) });
    for (const pass of [source(rows), source(rows), shuffled(rows)]) for await (const _ of pass.batches());
    expect(said).to.deep.equal(['second moments', 'shuffling', 'step 1']);
  });

  it('shows every step of a run on rows as they come', async () => {
    expect(await shown('as-is')).to.deep.equal(steps);
  });
});
