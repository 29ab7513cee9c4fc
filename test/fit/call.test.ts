import { expect } from 'chai';
import type { ArgumentError } from '../../src/errors.ts';
import { type Progress, watchedRun } from '../../src/fit/call.ts';
import { estimate } from '../../src/fit/estimate.ts';
import { evaluate } from '../../src/fit/evaluate.ts';
import { inspect } from '../../src/fit/inspect.ts';
import { predict } from '../../src/fit/predict.ts';
import { estimatePrivately } from '../../src/fit/private/estimatePrivately.ts';
import { split } from '../../src/flow/split.ts';
import { normal } from '../../src/math/random/normal.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { lossByName } from '../../src/method/loss/lossByName.ts';
import { samplesOf } from '../../src/sample/samples.ts';
import { batches } from '../../src/source/memory/batches.ts';

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

describe('an option that there is not', () => {
  const rows = { x: [1, 2, 3, 4], y: [2, 4, 6, 8] };
  // As callers without types write them.
  const misspelt = (options: Record<string, unknown>): never => options as never;
  const failed = async (call: () => unknown): Promise<ArgumentError> => {
    try {
      await call();
    } catch (error) {
      return error as ArgumentError;
    }
    throw new Error('nothing was refused');
  };

  it('is refused by every call, by its name and the nearest that there is', async () => {
    const { model } = await estimate(rows, { target: 'y' });
    const calls: Readonly<Record<string, () => unknown>> = {
      taget: () => estimate(rows, misspelt({ taget: 'y' })),
      epsilom: () => estimatePrivately(rows, misspelt({ target: 'y', epsilom: 1 })),
      kep: () => predict(model, rows, misspelt({ kep: ['x'] })),
      wieghts: () => evaluate(model, rows, misspelt({ wieghts: 'x' })),
      type: () => inspect(rows, misspelt({ type: {} })),
      column: () => batches(rows, misspelt({ column: ['x'] })),
      chunk: () => split(rows, misspelt({ target: 'y', chunks: [4], chunk: 4 })),
    };
    const nearest = ['target', 'epsilon', 'keep', 'weights', 'types', 'columns', 'chunks'];
    for (const [k, [argument, call]] of Object.entries(calls).entries()) {
      const error = await failed(call);
      expect(error.message).to.equal(`there is no option \`${argument}\`; the nearest is \`${nearest[k]}\``);
      expect(error).to.deep.include({ code: 'ERR_ARGUMENT', detail: { argument, nearest: nearest[k] } });
    }
  });

  it('may be there without a value, but options must be an object', async () => {
    await estimate(rows, misspelt({ target: 'y', taget: undefined }));
    expect((await failed(() => estimate(rows, undefined as never))).message).to.equal(
      'the options must be an object, got undefined',
    );
  });
});
