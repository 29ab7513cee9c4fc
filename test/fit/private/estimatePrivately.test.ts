import fs, { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromArrays } from 'apache-arrow';
import { expect } from 'chai';
import { estimatePrivately, type PrivateEstimateOptions } from '../../../src/fit/private/estimatePrivately.ts';
import { fromText } from '../../../src/math/plainData.ts';
import { uniformBetween } from '../../../src/math/random/random.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { formatModel, type Model } from '../../../src/model/model.ts';
import { epsilonFor } from '../../../src/privacy/gaussianDp.ts';
import { readLedgerFile } from '../../../src/privacy/ledgerFile/readLedgerFile.ts';
import { fromSql } from '../../../src/source/sql/openSql.ts';
import { runCli } from '../../support/runCli.ts';

function people(count: number) {
  const random = seeded(11, 'people');
  const draw = (least: number, most: number): Float64Array =>
    Float64Array.from({ length: count }, () => uniformBetween(random, least, most));
  const [hours, age, noise] = [draw(0, 80), draw(18, 99), draw(-20, 20)];
  const income = hours.map((value, i) => 1.2 * value + 0.4 * age[i]! + noise[i]!);
  return { hours, age, income };
}

const options = {
  target: 'income',
  bounds: { hours: [0, 80], age: [18, 99], income: [0, 200] },
  epsilon: 1,
  delta: 1e-6,
} satisfies PrivateEstimateOptions;

describe('estimatePrivately', () => {
  const data = people(5_000);
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-'));
    const lines = Array.from(data.income, (y, i) => `${data.hours[i]},${data.age[i]},${y}`);
    writeFileSync(join(folder, 'people.csv'), `hours,age,income\n${lines.join('\n')}\n`);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('is the run of the command line, given the same seeded noise: coefficients, intervals and ledger', async () => {
    const [csv, out] = [join(folder, 'people.csv'), join(folder, 'model.json')];
    const bounds = 'hours:0..80,age:18..99,income:0..200';
    await runCli([
      ...['fit', csv, '--target', 'income', '--bounds', bounds, '--epsilon', '1', '--delta', '1e-6'],
      ...['--seed', '5', '--out', out],
    ]);
    const printed = JSON.parse(readFileSync(out, 'utf8')) as Model;
    for (const source of [csv, data, tableFromArrays(data)]) {
      const { model, coefficients } = await estimatePrivately(source, { ...options, seed: '5' });
      const { notes: _, choices: __, ...numbers } = JSON.parse(JSON.stringify(model)) as Model;
      const { notes: ___, choices: ____, ...others } = printed;
      expect(numbers).to.deep.equal(others);
      expect(coefficients['hours']!.lower).to.equal(printed.uncertainty!.intervals['hours']![0]);
    }
  });

  it('states what it spends, and is charged to a ledger before noise is drawn', async () => {
    const file = join(folder, 'ledger.jsonl');
    const { ledger, model, coefficients } = await estimatePrivately(data, {
      ...options,
      ledger: { file, dataset: 'people', budget: 1.2 },
    });
    expect(ledger.isPrivate).to.equal(true);
    expect(epsilonFor(ledger.mu, options.delta)).to.be.at.most(1);
    expect(model.ledger).to.include({ private: true, epsilon: 1, delta: 1e-6 });
    expect(model.ledger.file!.dataset).to.equal('people');
    expect(coefficients['hours']!.estimate).to.be.closeTo(1.2, 0.3);
    const refused = await estimatePrivately(data, {
      ...options,
      ledger: { file, dataset: 'people', budget: 1.2 },
    }).catch(error => error);
    expect(refused).to.include({ code: 'ERR_BUDGET' });
    expect(readLedgerFile(file).accounts[0]!.runs).to.have.length(1);
  });

  it('keeps what was paid for when the ledger cannot take its last line, and says so', async () => {
    const file = join(folder, 'full.jsonl');
    const { writeSync } = fs;
    fs.writeSync = ((handle: number, bytes: Uint8Array, ...rest: never[]) => {
      if (String(Buffer.from(bytes)).includes('"kind":"finished"')) throw new Error('ENOSPC: no space left');
      return (writeSync as (...args: unknown[]) => number)(handle, bytes, ...rest);
    }) as typeof writeSync;
    syncBuiltinESMExports();
    try {
      const found = await estimatePrivately(data, { ...options, ledger: { file, dataset: 'people' } });
      expect(found.model.ledger).to.include({ private: true, epsilon: 1 });
      expect(found.warnings).to.deep.equal([
        `${file} cannot be written: ENOSPC: no space left; the run counts as stopped, and costs what it charged`,
      ]);
    } finally {
      fs.writeSync = writeSync;
      syncBuiltinESMExports();
    }
    const [run] = readLedgerFile(file).accounts[0]!.runs;
    expect(run).to.include({ isFinished: false });
    expect(run!.epsilon).to.be.closeTo(1, 1e-3);
  });

  it('protects units by rows that it limits itself', async () => {
    const persons = { ...data, person: data.income.map((_, i) => i % 2500) };
    const { model } = await estimatePrivately(persons, {
      ...options,
      epsilon: 4,
      unit: 'person',
      maxPerUnit: 2,
    });
    expect(model.plan).to.include({ unit: 'person', maxPerUnit: 2 });
    expect(model.ledger).to.include({ private: true, unit: 'person' });
  });

  it('says that a seeded run is not private, and takes a number for the text of it', async () => {
    const { ledger, model } = await estimatePrivately(data, { ...options, seed: 1 });
    expect((await estimatePrivately(data, { ...options, seed: '1' })).model).to.deep.equal(model);
    expect(ledger.isPrivate).to.equal(false);
    expect(model.ledger.note).to.match(/NOT PRIVATE/);
  });

  it('refuses a query, which may make one row of several', async () => {
    const query = fromSql(`SELECT * FROM '${join(folder, 'people.csv')}'`);
    const refused = await estimatePrivately(query, options).catch(error => error);
    expect(refused).to.include({ code: 'ERR_NOT_PRIVATE' });
  });

  it('refuses what would show rows, and what is not declared, with the way out', async () => {
    const refusal = (changed: object): Promise<string> =>
      estimatePrivately(data, { ...options, ...changed }).then(
        () => 'nothing',
        error => error.message,
      );
    expect(await refusal({ bounds: { hours: [0, 80], age: [18, 99] } })).to.match(
      /`bounds` must include the target "income"/,
    );
    expect(await refusal({ features: ['hours', 'age'], bounds: { hours: [0, 80], income: [0, 9] } })).to.match(
      /lacks age/,
    );
    expect(await refusal({ weights: 'age' })).to.match(/`weights` is not for private runs/);
    expect(await refusal({ holdout: 0.2 })).to.match(/`holdout` is not for private runs/);
    expect(await refusal({ delta: 0.01 })).to.match(/`delta` must be below 1\/n/);
    expect(await refusal({ unit: 'age', maxPerUnit: 2, features: ['hours', 'age'] })).to.match(
      /`features` names "age", which is the `unit`/,
    );
    expect(await refusal({ unit: 'age' })).to.match(/`unit` and `maxPerUnit` go together/);
    expect(await refusal({ loss: 'tukey' })).to.match(/needs a start near the solution/);
    expect(await refusal({ bounds: { income: [0, 9] } })).to.match(/does not choose features/);
  });

  describe('with a checkpoint', () => {
    const stopped = new Error('stopped here');
    const from = () => join(folder, 'people.csv');
    const stoppedAfter = (step: number, asked: PrivateEstimateOptions) =>
      estimatePrivately(from(), {
        ...asked,
        onIterate: iterate => {
          if (iterate.step === step) throw stopped;
        },
      }).catch(error => error);

    for (const how of [
      { mode: 'full', steps: 6, moments: 'yes' },
      { mode: 'fresh', steps: 3, moments: 'no', aggregate: 'median-of-means' },
    ] as const) {
      it(`goes on to the same seeded model after any step: ${how.mode}, moments ${how.moments}`, async () => {
        const asked = { ...options, ...how, seed: 's' };
        const expected = formatModel((await estimatePrivately(from(), asked)).model);
        for (let step = 1; step <= how.steps; step++) {
          const checkpoint = join(folder, `${how.mode}-${step}`);
          for (const at of new Set([1, step]))
            expect(await stoppedAfter(at, { ...asked, checkpoint })).to.equal(stopped);
          const { model } = await estimatePrivately(from(), { ...asked, checkpoint });
          expect(formatModel(model), `after step ${step}`).to.equal(expected);
        }
      });

      it(`charges and draws each release once, in a ledger: ${how.mode}, moments ${how.moments}`, async () => {
        const file = join(folder, `kept-${how.mode}.jsonl`);
        const checkpoint = join(folder, how.mode);
        const asked = { ...options, ...how, checkpoint, ledger: { file, dataset: 'people', budget: 1 } };
        const thetas: number[][] = [];
        for (let step = 1; step <= how.steps; step++) {
          const seen: number[][] = [];
          const failed = await estimatePrivately(from(), {
            ...asked,
            onIterate: ({ step: at, theta }) => {
              seen.push([...theta]);
              if (at === step) throw stopped;
            },
          }).catch(error => error);
          expect(failed).to.equal(stopped);
          expect(seen.slice(0, -1)).to.deep.equal(thetas);
          thetas.push(seen.at(-1)!);
        }
        const { model, trace } = await estimatePrivately(from(), asked);
        const releases = how.steps + (how.moments === 'yes' ? 2 : 0);
        expect(readLedgerFile(file).accounts[0]!.runs).to.have.length(1);
        expect(readLedgerFile(file).accounts[0]!.runs[0]).to.include({ charges: releases, isFinished: true });
        expect((await trace()).numRows).to.equal(how.steps);
        // Finished, and not yet removed: the same again, at no cost, although the budget is spent.
        const again = await estimatePrivately(from(), asked);
        expect(formatModel(again.model)).to.equal(formatModel(model));
        expect(readLedgerFile(file).accounts[0]!.runs[0]!.charges).to.equal(releases);
      });
    }

    it('holds nothing that depends on rows but what was released', async () => {
      const checkpoint = join(folder, 'clean');
      const asked = { ...options, mode: 'full', steps: 3, moments: 'yes', checkpoint, seed: 's' } as const;
      await estimatePrivately(from(), asked);
      const lines = readFileSync(join(checkpoint, 'fit.checkpoint'), 'utf8')
        .trim()
        .split('\n')
        .map(line => JSON.parse(line));
      const steps = lines
        .filter(({ kind }) => kind === 'step')
        .map(({ answer }) => fromText(answer) as { privacy: string });
      expect(steps.map(({ privacy }) => privacy)).to.deep.equal(Array(5).fill('released'));
      expect(lines.filter(({ kind }) => kind === 'fact').map(({ name }) => name)).to.deep.equal([
        'sluice',
        'files',
        'options',
        'plan',
      ]);
      expect(Object.keys(lines.find(({ name }) => name === 'files').fact[0])).to.deep.equal(['name', 'modified']);
    });

    it('needs a ledger as its witness, and refuses an older copy, another ledger and another run', async () => {
      const checkpoint = join(folder, 'witness');
      const asked = { ...options, mode: 'full', steps: 4, moments: 'no', checkpoint } as const;
      const refused = (changed: Partial<PrivateEstimateOptions>) =>
        estimatePrivately(from(), { ...asked, ...changed }).then(
          () => 'nothing',
          ({ code, message }) => `${code}: ${message}`,
        );
      expect(await refused({})).to.match(/ERR_NOT_PRIVATE: `checkpoint` needs `ledger` in a private run/);
      const ledger = { file: join(folder, 'witness.jsonl'), dataset: 'people' };
      await stoppedAfter(1, { ...asked, ledger });
      const kept = join(checkpoint, 'fit.checkpoint');
      const older = readFileSync(kept);
      await stoppedAfter(3, { ...asked, ledger });
      expect(await refused({ ledger: { ...ledger, file: join(folder, 'elsewhere.jsonl') } })).to.match(
        /ERR_NOT_PRIVATE: run .* of a fit is not in the ledger/,
      );
      expect(await refused({ ledger: { ...ledger, dataset: 'others' } })).to.match(
        /`dataset` was "people", and is "others"/,
      );
      expect(await refused({ ledger, epsilon: 2 })).to.match(/`epsilon` was 1, and is 2/);
      writeFileSync(kept, older);
      expect(await refused({ ledger })).to.match(
        /ERR_NOT_PRIVATE: the checkpoint holds 1 release and the ledger 4 charges/,
      );
      expect(readLedgerFile(ledger.file).accounts[0]!.runs[0]!.charges).to.equal(4);
    });

    it('goes on only within a budget that others may have spent meanwhile', async () => {
      const ledger = { file: join(folder, 'shared.jsonl'), dataset: 'people', budget: 1.2 };
      const asked = { ...options, mode: 'full', steps: 4, moments: 'no', ledger } as const;
      await stoppedAfter(1, { ...asked, checkpoint: join(folder, 'first') });
      await estimatePrivately(data, { ...asked, epsilon: 0.9 });
      const refused = await estimatePrivately(from(), { ...asked, checkpoint: join(folder, 'first') }).catch(
        error => error,
      );
      expect(refused).to.include({ code: 'ERR_BUDGET' });
    });
  });
});
