import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { removeCheckpoint } from '../../src/fit/checkpoint.ts';
import { type EstimateOptions, estimate } from '../../src/fit/estimate.ts';
import { estimateByTheorem } from '../../src/fit/estimateByTheorem.ts';
import { normal } from '../../src/math/random/normal.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { lossByName } from '../../src/method/loss/lossByName.ts';
import { formatModel } from '../../src/model/model.ts';

const OTHERS: Partial<EstimateOptions>[] = [
  {},
  { mode: 'fresh', steps: 4 },
  { mode: 'fresh', steps: 3, order: 'as-is', holdout: 0.2 },
  { method: 'nesterov', steps: 9, mode: 'full' },
  { loss: 'squared', stepSize: 0.01, steps: 5, mode: 'full', order: 'as-is' },
  { loss: 'squared', mode: 'fresh', steps: 4 },
  { aggregate: { huber: 0.1 }, mode: 'fresh', steps: 3, loss: 'squared' },
  { method: 'frank-wolfe', set: { kind: 'l2', radius: 3 }, intercept: false, mode: 'fresh', steps: 5, loss: 'squared' },
];

describe('a checkpoint of a fit', () => {
  let folder: string;
  let csv: string;
  const stopped = new Error('stopped here');
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-'));
    csv = join(folder, 'rows.csv');
    const random = seeded(3, 'rows');
    const lines = Array.from({ length: 4000 }, () => {
      const [a, b] = [normal(random), normal(random)];
      return `${a},${b},${1 + 2 * a - b + normal(random)}`;
    });
    writeFileSync(csv, `a,b,y\n${lines.join('\n')}\n`);
  });
  after(() => rmSync(folder, { recursive: true }));

  /** Stops the run after so many steps, as a kill would: nothing is closed in an orderly way but the lock. */
  const stoppedAfter = async (step: number, options: EstimateOptions): Promise<unknown> =>
    estimate(csv, {
      ...options,
      onIterate: iterate => {
        if (iterate.step === step) throw stopped;
      },
    }).catch(error => error);

  for (const others of OTHERS) {
    it(`goes on to the same bits after any step: ${JSON.stringify(others)}`, async () => {
      const options = { target: 'y', ...others } as EstimateOptions;
      const whole = await estimate(csv, options);
      const checkpoint = join(folder, 'kept');
      const expected = formatModel(whole.model);
      const last = whole.plan.steps.length;
      for (const step of new Set([1, Math.ceil(last / 2), last - 1, last])) {
        if (step === 0) continue;
        const seen: number[] = [];
        expect(await stoppedAfter(step, { ...options, checkpoint })).to.equal(stopped);
        const { model, trace } = await estimate(csv, { ...options, checkpoint, onIterate: at => seen.push(at.step) });
        expect(formatModel(model), `after step ${step}`).to.equal(expected);
        expect(seen).to.deep.equal(whole.plan.steps.map((_, t) => t + 1));
        expect((await trace()).toArray().map(String)).to.deep.equal((await whole.trace()).toArray().map(String));
        expect(existsSync(join(checkpoint, 'fit.checkpoint')), 'removed when done').to.equal(false);
      }
    });
  }

  it('goes on after several stops, a torn line and a lock left behind', async () => {
    const options = { target: 'y', method: 'nesterov', steps: 9, mode: 'full' } as const;
    const checkpoint = join(folder, 'torn');
    const path = join(checkpoint, 'fit.checkpoint');
    for (const step of [2, 5]) await stoppedAfter(step, { ...options, checkpoint });
    const lines = readFileSync(path, 'utf8').split('\n').length;
    appendFileSync(path, '{"kind":"step","step":5,"answer":"…');
    await stoppedAfter(7, { ...options, checkpoint });
    expect(readFileSync(path, 'utf8').split('\n')).to.have.length(lines + 2);
    truncateSync(path, readFileSync(path).length - 10);
    const { model } = await estimate(csv, { ...options, checkpoint });
    expect(formatModel(model)).to.equal(formatModel((await estimate(csv, options)).model));
  });

  it('does so for a theorem', async () => {
    const loss = lossByName('squared', {});
    const { theoremRun, theoremRequest } = await import('../../src/cli/flags/theoremFlags.ts');
    const run = theoremRun(
      theoremRequest({
        ...{
          target: 'y',
          theorem: 'GLMhtGD',
          given: ['smoothness=1,strongConvexity=0.7'],
          loss: 'squared',
          intercept: false,
          failure: '0.05',
        },
        ...{ method: 'auto', set: 'none', mode: 'auto' },
      }),
    );
    const options = { target: 'y', loss, intercept: false, checkpoint: join(folder, 'theorem') } as const;
    const failed = await estimateByTheorem(csv, run, {
      ...options,
      onIterate: ({ step }) => {
        if (step === 2) throw stopped;
      },
    }).catch(error => error);
    expect(failed).to.equal(stopped);
    const { checkpoint: _, ...plain } = options;
    const [resumed, whole] = [await estimateByTheorem(csv, run, options), await estimateByTheorem(csv, run, plain)];
    expect(formatModel(resumed.model)).to.equal(formatModel(whole.model));
  });

  it('refuses another run, with the difference named', async () => {
    const options = { target: 'y', mode: 'fresh', steps: 4 } as const;
    const checkpoint = join(folder, 'other');
    await stoppedAfter(1, { ...options, checkpoint });
    const refused = async (change: object, source = csv) =>
      estimate(source, { ...options, checkpoint, ...change }).then(
        () => expect.fail('it was not refused'),
        ({ code, message }) => `${code}: ${message}`,
      );
    expect(await refused({ steps: 5 })).to.match(/^ERR_CONFLICT: .* `steps` was 4, and is 5/);
    expect(await refused({ penalty: 0.1 })).to.match(/`penalty` was not given, and is 0.1/);
    expect(await refused({ features: ['a'] })).to.match(/`features` was not given/);
    const copy = join(folder, 'copy.csv');
    writeFileSync(copy, readFileSync(csv));
    expect(await refused({}, copy)).to.match(/files 1 name was "rows.csv", and is "copy.csv"/);
    utimesSync(csv, new Date(), new Date(Date.now() + 5000));
    expect(await refused({})).to.match(/files 1 modified was/);
    removeCheckpoint(checkpoint);
    await estimate(csv, { ...options, checkpoint, steps: 5 });
  });

  it('needs rows that another process finds again, and a folder of its own', async () => {
    const checkpoint = join(folder, 'none');
    const column = [1, 2, 3, 4];
    const inMemory = await estimate({ x: column, y: column }, { target: 'y', checkpoint }).catch(error => error);
    expect(inMemory).to.include({ code: 'ERR_CONFLICT' });
    expect(inMemory.message).to.include('write the rows to a file');
    const foreign = join(folder, 'foreign');
    await stoppedAfter(1, { target: 'y', checkpoint: foreign, mode: 'fresh', steps: 4 });
    writeFileSync(join(foreign, 'fit.checkpoint'), 'something else\n');
    const unread = await estimate(csv, { target: 'y', checkpoint: foreign }).catch(error => error);
    expect(unread).to.include({ code: 'ERR_FILE' });
    const onFile = await estimate(csv, { target: 'y', checkpoint: csv }).catch(error => error);
    expect(onFile).to.include({ code: 'ERR_FILE' });
  });
});
