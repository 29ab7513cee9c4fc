import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import { onDuckdb } from '../../../src/engine/duckdb/onDuckdb.ts';
import { hashedRounds } from '../../../src/engine/local/hashedRounds.ts';
import type { RoundQuestion } from '../../../src/engine/roundEngine.ts';
import { type EstimateOptions, estimate } from '../../../src/fit/estimate.ts';
import { estimateByTheorem } from '../../../src/fit/estimateByTheorem.ts';
import { evaluate } from '../../../src/fit/evaluate.ts';
import { fitRows } from '../../../src/fit/fitRows.ts';
import { inspect } from '../../../src/fit/inspect.ts';
import { predict } from '../../../src/fit/predict.ts';
import { estimatePrivately, type PrivateEstimateOptions } from '../../../src/fit/private/estimatePrivately.ts';
import { fitPrivate } from '../../../src/fit/private/fitPrivate.ts';
import { privateRequest } from '../../../src/fit/private/privateRequest.ts';
import type { RemoteSamples } from '../../../src/fit/remote/openRemote.ts';
import { predictTable } from '../../../src/fit/remote/predictTable.ts';
import { rowsElsewhere } from '../../../src/fit/remote/privateRemote.ts';
import { remoteInput } from '../../../src/fit/remote/remoteInput.ts';
import type { Estimate } from '../../../src/fit/result.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { lossByName } from '../../../src/method/loss/lossByName.ts';
import { pseudoHuber } from '../../../src/method/loss/pseudoHuber.ts';
import { htAgd } from '../../../src/plan/theorem/htAgd.ts';
import { readLedgerFile } from '../../../src/privacy/ledgerFile/readLedgerFile.ts';
import type { Samples } from '../../../src/sample/samples.ts';
import { asLimitedTo } from '../../../src/sample/transform/perUnit.ts';
import { engineRows, idedRows, writeRows } from '../../support/engineRows.ts';

const FEATURES = ['x0', 'x1', 'x2'] as const;
const ROWS = 24_000;

/** The largest difference between numbers of two estimates, relative to the larger of 1 and their size. */
function difference(one: Pick<Estimate, 'coefficients'>, other: Pick<Estimate, 'coefficients'>): number {
  const numbers = ({ coefficients }: Pick<Estimate, 'coefficients'>): number[] =>
    Object.values(coefficients).flatMap(each => [each.estimate, each.error ?? 0, each.lower ?? 0, each.upper ?? 0]);
  const others = numbers(other);
  expect(Object.keys(one.coefficients)).to.deep.equal(Object.keys(other.coefficients));
  return Math.max(...numbers(one).map((value, k) => Math.abs(value - others[k]!) / Math.max(1, Math.abs(value))));
}

describe('an estimate over rows that stay in DuckDB', () => {
  let folder: string;
  let path: string;
  const columns = engineRows(ROWS, 3);
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-remote-'));
    path = join(folder, 'rows.parquet');
    await writeRows(path, columns);
  });
  after(() => rmSync(folder, { recursive: true }));

  /** A database in the folder, made by statements. */
  const database = async (name: string, ...statements: readonly string[]): Promise<string> => {
    const file = join(folder, name);
    const instance = await DuckDBInstance.create(file);
    const connection = await DuckDBConnection.create(instance);
    for (const statement of statements) await connection.run(statement);
    connection.closeSync();
    instance.closeSync();
    return file;
  };

  const cases: readonly (readonly [string, EstimateOptions])[] = [
    ['by default, over few rows', { target: 'linear', features: FEATURES }],
    ['by default, in fresh chunks', { target: 'linear', features: FEATURES, mode: 'fresh' }],
    ['by default, over all rows at every step', { target: 'linear', features: FEATURES, mode: 'full' }],
    ['by default, of classes', { target: 'class', features: FEATURES, mode: 'fresh' }],
    ['of counts', { target: 'count', features: FEATURES, mode: 'fresh', loss: 'poisson' }],
    ['by squares over all rows', { target: 'linear', features: FEATURES, mode: 'full', steps: 3, loss: 'squared' }],
    ['by a median of means', { target: 'linear', features: FEATURES, mode: 'fresh', aggregate: 'median-of-means' }],
    ['with weights', { target: 'linear', features: ['x0', 'x1'], weights: 'count', mode: 'fresh' }],
    ['with rows held out', { target: 'linear', features: FEATURES, mode: 'fresh', holdout: 0.2 }],
    [
      'by Nesterov within a ball',
      { target: 'linear', features: FEATURES, mode: 'fresh', method: 'gradient', set: { kind: 'l2', radius: 0.3 } },
    ],
    [
      'with a ridge penalty',
      { target: 'linear', features: FEATURES, mode: 'fresh', penalty: 0.1, loss: 'pseudo-huber' },
    ],
  ];
  for (const [name, options] of cases)
    it(`is that of this machine from the same pilot rows ${name}`, async () => {
      const far = await estimate(onDuckdb({ files: path, id: 'id' }), options);
      const near = await estimate(path, { ...options, id: 'id' });
      expect(difference(far, near)).to.be.at.most(1e-9);
      for (const fit of ['huber', 'bisquare'] as const)
        far.run.blend?.[fit].forEach((value, j) => {
          expect(value, fit).to.be.closeTo(near.run.blend![fit][j]!, 1e-9);
        });
      const isOfOneFit = options.target !== 'linear' || ['loss', 'set'].some(each => each in options);
      expect(far.run.blend === null, 'blend').to.equal(isOfOneFit);
      expect(far.rows).to.deep.equal(near.rows);
      expect(far.rows.read).to.equal(ROWS);
      expect(far.notes.map(({ text }) => text).at(-1)).to.match(/in DuckDB, taken by their ids.*not tested/);
      for (const [measure, value] of Object.entries(far.model.holdout ?? {}))
        expect(value, measure).to.be.closeTo(near.model.holdout![measure]!, 1e-9);
      expect(far.model.holdout === undefined).to.equal(options.holdout === undefined);
    });

  it('asks for the sums of both fits of a step at once', async () => {
    const engine = hashedRounds(idedRows(columns, 3, 'linear'), 'sluice');
    const asked: string[][] = [];
    const watched = {
      ...engine,
      sums: (question: RoundQuestion) => {
        asked.push(question.asked.map(({ loss }) => loss.kernel!.kind));
        return engine.sums(question);
      },
    };
    const samples = idedRows(columns, 3, 'linear');
    const found = await fitRows(
      { ...samples, features: 3 },
      { mode: 'fresh', elsewhere: (layout, held) => remoteInput(watched, layout, held) },
    );
    expect(found.blend).to.not.equal(null);
    expect(asked).to.deep.equal(found.fit.steps.map(() => ['pseudo-huber', 'tukey']));
  });

  it('takes rows by their number in the file where no id is named', async () => {
    const asked = { target: 'linear', features: FEATURES, mode: 'fresh' } as const;
    const far = await estimate(onDuckdb({ files: path }), asked);
    const near = await estimate(onDuckdb({ files: path, id: 'id' }), asked);
    expect(difference(far, near)).to.be.within(1e-9, 0.1);
  });

  it('leaves the id out of the features, finds levels, and skips rows with nulls', async () => {
    const file = await database(
      'levels.duckdb',
      `CREATE TABLE trips AS SELECT CAST(id AS BIGINT) AS id, x0, CASE WHEN id % 11 = 0 THEN NULL ELSE x1 END AS x1,
        CASE WHEN id % 3 = 0 THEN 'Bath' WHEN id % 3 = 1 THEN 'Lyon' ELSE 'O''Hare' END AS town, id % 2 = 0 AS even, linear FROM '${path}'`,
      `COPY trips TO '${join(folder, 'levels.parquet')}'`,
    );
    const asked = { target: 'linear', mode: 'fresh' } as const;
    const far = await estimate(onDuckdb({ table: 'trips', database: file, id: 'id' }), asked);
    const near = await estimate(join(folder, 'levels.parquet'), { ...asked, id: 'id' });
    expect(Object.keys(far.coefficients)).to.include("town=O'Hare").and.not.include('id');
    expect(difference(far, near)).to.be.at.most(1e-9);
    expect(far.rows.invalid).to.equal(near.rows.invalid).and.to.be.above(1000);
    expect(far.model.reference).to.deep.equal(near.model.reference);
  });

  it('takes columns by any name', async () => {
    const hostile = '"; DROP TABLE trips; --';
    const quoted = `"${hostile.replaceAll('"', '""')}"`;
    const file = await database(
      'hostile.duckdb',
      `CREATE TABLE trips AS SELECT CAST(id AS BIGINT) AS "i ""d", x0 AS ${quoted}, x1 AS v0, x2 AS "t0_0", linear AS "lo", class AS "h" FROM '${path}'`,
    );
    const options = { target: 'lo', features: [hostile, 'v0', 't0_0', 'h'], mode: 'fresh' } as const;
    const found = await estimate(onDuckdb({ table: 'trips', database: file, id: 'i "d' }), options);
    expect(Object.keys(found.coefficients)).to.include(hostile);
    const plain = await estimate(onDuckdb({ files: path, id: 'id' }), {
      target: 'linear',
      features: [...FEATURES, 'class'],
      mode: 'fresh',
    });
    Object.values(plain.coefficients).forEach((coefficient, k) => {
      expect(Object.values(found.coefficients)[k]!.estimate).to.be.closeTo(coefficient.estimate, 1e-12);
    });
  });

  it('reads folders by Hive partitions, text files, and queries', async () => {
    for (const part of [0, 1]) {
      mkdirSync(join(folder, 'hive', `part=${part}`), { recursive: true });
      const own = Object.fromEntries(
        Object.entries(columns).map(([name, values]) => [name, values.filter((_, i) => i % 2 === part)]),
      );
      await writeRows(join(folder, 'hive', `part=${part}`, `rows${part}.parquet`), own);
    }
    const lines = [
      'id,x0,linear',
      ...Array.from({ length: 3000 }, (_, i) => `${i},${columns.x0![i]},${columns.linear![i]}`),
    ];
    writeFileSync(join(folder, 'rows.csv'), lines.join('\n'));
    const whole = await estimate(onDuckdb({ files: path, id: 'id' }), { target: 'linear', features: FEATURES });
    const parts = await estimate(onDuckdb({ files: join(folder, 'hive'), id: 'id' }), {
      target: 'linear',
      features: FEATURES,
    });
    expect(difference(parts, whole)).to.be.at.most(1e-12);
    const hive = await estimate(onDuckdb({ files: join(folder, 'hive') }), { target: 'linear' });
    expect(Object.keys(hive.coefficients)).to.include('part');
    const text = await estimate(onDuckdb({ files: join(folder, 'rows.csv') }), { target: 'linear', features: ['x0'] });
    const query = `SELECT * FROM '${path}' WHERE id < ${7 * 3000}`;
    const asked = await estimate(onDuckdb({ sql: query, id: 'id' }), { target: 'linear', features: ['x0'] });
    expect(text.rows.read).to.equal(3000);
    expect(asked.coefficients.x0!.estimate).to.be.closeTo(text.coefficients.x0!.estimate, 1e-6);
  });

  it('runs a theorem of the paper', async () => {
    const given = { smoothness: 1.5, strongConvexity: 1, failureProbability: 0.1 };
    const theorem = {
      label: 'htAGD',
      given,
      prescribe: (rows: number, features: number) => htAgd({ rows, features, ...given }),
    };
    const loss = { name: 'pseudo-huber', loss: pseudoHuber(1), parameter: 1, predict: (score: number) => score };
    const asked = { target: 'linear', features: FEATURES, intercept: false, loss } as const;
    const far = await estimateByTheorem(onDuckdb({ files: path, id: 'id' }), theorem, asked);
    const near = await estimateByTheorem(path, theorem, { ...asked, id: 'id' });
    expect(difference(far, near)).to.be.at.most(1e-12);
  });

  it('goes on from a checkpoint, and refuses one of other rows', async () => {
    const checkpoint = join(folder, 'kept');
    const options = { target: 'linear', features: FEATURES, mode: 'fresh', steps: 4, checkpoint } as const;
    const rows = onDuckdb({ files: path, id: 'id' });
    const stopping = {
      ...options,
      onIterate: ({ step }: { step: number }) => {
        if (step === 3) throw new Error('killed');
      },
    };
    const stopped = await estimate(rows, stopping).catch(error => error);
    expect(stopped.message).to.equal('killed');
    const other = await estimate(onDuckdb({ files: path, id: 'linear' }), options).catch(error => error);
    expect(other.code).to.match(/ERR_(CONFLICT|COLUMN)/);
    const resumed = await estimate(rows, options);
    const { checkpoint: _, ...plain } = options;
    expect(resumed.model).to.deep.equal((await estimate(rows, plain)).model);
  });

  it('refuses a table that changes between rounds', async () => {
    const [copy, other] = [join(folder, 'changing.parquet'), join(folder, 'other.parquet')];
    await writeRows(copy, columns);
    await writeRows(other, engineRows(ROWS - 1000, 3));
    const running = estimate(onDuckdb({ files: copy, id: 'id' }), {
      target: 'linear',
      features: FEATURES,
      mode: 'fresh',
      steps: 3,
      onIterate: ({ step }) => {
        if (step === 1) renameSync(other, copy);
      },
    });
    const found = await running.then(
      () => expect.fail('it ran'),
      error => error,
    );
    expect(found.code).to.equal('ERR_CHANGED');
    expect(found.message).to.match(/have changed since the run began: where there were \d+ rows there are \d+ now/);
  });

  it('stops by its signal', async () => {
    const stop = new AbortController();
    const running = estimate(onDuckdb({ files: path, id: 'id' }), {
      target: 'linear',
      mode: 'fresh',
      signal: stop.signal,
    });
    stop.abort(new Error('enough'));
    expect((await running.catch(error => error)).message).to.equal('enough');
  });

  it('is predicted from by a table of the engine, and evaluated on its rows', async () => {
    const file = await database(
      'predict.duckdb',
      `CREATE TABLE trips AS SELECT *, CASE WHEN id % 5 = 0 THEN NULL ELSE x2 END AS x3 FROM '${path}'`,
      `COPY trips TO '${join(folder, 'predict.parquet')}'`,
    );
    for (const [target, loss] of [
      ['linear', 'pseudo-huber'],
      ['class', 'logistic'],
      ['count', 'poisson'],
    ] as const) {
      const { model } = await estimate(join(folder, 'predict.parquet'), { target, features: ['x0', 'x3'], loss });
      const rows = onDuckdb({ table: 'trips', database: file, id: 'id' });
      const made = await predictTable(model, rows, { into: `scored ${target}`, keep: ['id'] });
      expect(made.rows).to.equal(ROWS);
      const instance = await DuckDBInstance.create(file);
      const connection = await DuckDBConnection.create(instance);
      const read = await connection.runAndReadAll(`SELECT id, prediction FROM "scored ${target}" ORDER BY id`);
      connection.closeSync();
      instance.closeSync();
      const near = await predict(model, join(folder, 'predict.parquet'), { keep: ['id'] }).table();
      expect(made.invalid).to.equal(near.getChild('prediction')!.nullCount);
      const [ids, predictions] = [near.getChild('id')!.toArray(), near.getChild('prediction')!];
      const expected = new Map([...ids].map((id, k) => [Number(id), predictions.get(k) as number | null]));
      for (const [id, prediction] of read.getRows()) {
        const own = expected.get(Number(id));
        if (own === null) expect(prediction).to.equal(null);
        else expect(prediction as number).to.be.closeTo(own!, 1e-12 * Math.max(1, Math.abs(own!)));
      }
      const far = await evaluate(model, rows);
      const here = await evaluate(model, join(folder, 'predict.parquet'));
      expect(far.rows).to.equal(here.rows);
      expect(far.meanLoss).to.be.closeTo(here.meanLoss, 1e-12);
    }
  });

  describe('in private', () => {
    const bounds = { x0: [-3, 3], x1: [-3, 3], x2: [-30, 30], linear: [-8, 8], class: [0, 1] } as const;
    const asked = { features: FEATURES, epsilon: 4, delta: 1e-6, seed: 7, steps: 4 } as const;

    for (const [name, options] of [
      [
        'over all rows',
        { ...asked, target: 'linear', bounds: { x0: bounds.x0, x1: bounds.x1, x2: bounds.x2, linear: bounds.linear } },
      ],
      [
        'of classes',
        {
          ...asked,
          target: 'class',
          loss: 'logistic',
          bounds: { x0: bounds.x0, x1: bounds.x1, x2: bounds.x2, class: bounds.class },
        },
      ],
      [
        'in fresh chunks',
        {
          ...asked,
          target: 'linear',
          mode: 'fresh',
          bounds: { x0: bounds.x0, x1: bounds.x1, x2: bounds.x2, linear: bounds.linear },
        },
      ],
    ] as const satisfies readonly (readonly [string, PrivateEstimateOptions])[])
      it(`is that of this machine to the bit ${name}`, async () => {
        const far = await estimatePrivately(onDuckdb({ files: path, id: 'id' }), options);
        const columnsOf = FEATURES.map((column, field) => ({ name: column, field }));
        const request = privateRequest(options, ROWS, columnsOf);
        const engine = hashedRounds(idedRows(columns, 3, options.target), 'sluice');
        const samples = {
          engine,
          rows: ROWS,
          features: 3,
          weighted: false,
          batches: () => expect.fail('rows are read'),
        };
        const elsewhere = await rowsElsewhere(samples as unknown as RemoteSamples, request.plan);
        const near = await fitPrivate(samples, request.plan, { random: seeded('7', 'noise'), elsewhere });
        expect(Object.values(far.coefficients).map(each => each.estimate)).to.deep.equal([...near.theta]);
        expect(far.ledger.entries).to.deep.equal(near.fit.ledger.entries);
      });

    it('charges the ledger as a run over files does', async () => {
      const options = {
        ...asked,
        seed: 7,
        target: 'linear',
        bounds: { x0: bounds.x0, x1: bounds.x1, x2: bounds.x2, linear: bounds.linear },
      } as const;
      const [far, near] = [join(folder, 'far.ledger'), join(folder, 'near.ledger')];
      const there = await estimatePrivately(onDuckdb({ files: path, id: 'id' }), {
        ...options,
        ledger: { file: far, dataset: 'rows' },
      });
      const here = await estimatePrivately(path, { ...options, ledger: { file: near, dataset: 'rows' } });
      expect(there.ledger.entries).to.deep.equal(here.ledger.entries);
      const entries = async (file: string): Promise<number> => (await readLedgerFile(file)).lines;
      expect(await entries(far)).to.equal(await entries(near));
    });

    it('limits the rows of a unit by their ids', async () => {
      const file = await database(
        'units.duckdb',
        `CREATE TABLE people AS SELECT CAST(id AS BIGINT) AS id, CASE WHEN id % 9 = 0 THEN NULL ELSE 'p' || CAST(floor(id / 35) AS INTEGER) END AS person, x0, linear FROM '${path}'`,
      );
      const options = {
        ...asked,
        features: ['x0'],
        unit: 'person',
        maxPerUnit: 2,
        target: 'linear',
        bounds: { x0: bounds.x0, linear: bounds.linear },
      } as const;
      const found = await estimatePrivately(onDuckdb({ table: 'people', database: file, id: 'id' }), options);
      const counts = new Map<string, number>();
      const limited = [...columns.id!].map(id => {
        if (id % 9 === 0) return 0;
        const person = `p${Math.floor(id / 35)}`;
        const seen = counts.get(person) ?? 0;
        counts.set(person, seen + 1);
        return seen < 2 ? 1 : 0;
      });
      const request = privateRequest(options, ROWS, [{ name: 'x0', field: 0 }]);
      const rows = idedRows(columns, 1, 'linear');
      const weights = Float64Array.from(limited);
      const weighted: Samples = {
        ...rows,
        weighted: true,
        async *batches() {
          for await (const batch of rows.batches()) yield { ...batch, weights };
        },
      };
      const engine = hashedRounds(weighted, 'sluice');
      const samples = asLimitedTo(
        { engine, rows: ROWS, features: 1, weighted: true, batches: () => expect.fail('rows are read') },
        2,
      );
      const elsewhere = await rowsElsewhere(samples as unknown as RemoteSamples, request.plan);
      const near = await fitPrivate(samples, request.plan, { random: seeded('7', 'noise'), elsewhere });
      expect(Object.values(found.coefficients).map(each => each.estimate)).to.deep.equal([...near.theta]);
      expect(limited.reduce((sum: number, one) => sum + one, 0)).to.be.below(ROWS / 2);
      expect(found.model.ledger.unit).to.equal('person');
    });

    it('refuses queries, and columns whose reading may fail by what a row holds', async () => {
      const refusal = async (run: Promise<unknown>): Promise<{ code: string; message: string }> =>
        run.then(
          () => expect.fail('it ran'),
          error => error,
        );
      const options = {
        ...asked,
        features: ['x0'],
        target: 'linear',
        bounds: { x0: bounds.x0, linear: bounds.linear },
      } as const;
      const query = await refusal(estimatePrivately(onDuckdb({ sql: `SELECT * FROM '${path}'`, id: 'id' }), options));
      expect(query.code).to.equal('ERR_NOT_PRIVATE');
      writeFileSync(join(folder, 'private.csv'), 'x0,linear\n1,2\n');
      const text = await refusal(estimatePrivately(onDuckdb({ files: join(folder, 'private.csv') }), options));
      expect(text.code).to.equal('ERR_NOT_PRIVATE');
      const many = await refusal(
        estimatePrivately(onDuckdb({ files: path, id: 'id' }), {
          ...options,
          moments: 'yes',
          features: Array.from({ length: 21 }, (_, j) => `x${j}`),
        }),
      );
      expect(many.code).to.match(/^ERR_/);
    });
  });

  describe('refuses', () => {
    const target = { target: 'linear', features: FEATURES } as const;
    const refusal = async (run: () => Promise<unknown>): Promise<{ readonly code: string; readonly message: string }> =>
      run().then(
        () => expect.fail('it ran'),
        error => error,
      );
    it('what needs rows here', async () => {
      const rows = onDuckdb({ files: path, id: 'id' });
      for (const options of [{ threads: 2 }, { order: 'as-is' }, { aggregate: { huber: 0.1 } }, { id: 'id' }] as const)
        expect((await refusal(() => estimate(rows, { ...target, ...options }))).code).to.equal('ERR_CONFLICT');
      const { kernel: _, ...own } = pseudoHuber(1);
      const mine = { name: 'mine', loss: { ...own, name: 'mine' }, predict: (score: number) => score };
      expect((await refusal(() => estimate(rows, { ...target, loss: mine, mode: 'fresh' }))).message).to.match(
        /function of this process/,
      );
      expect((await refusal(() => inspect(rows))).message).to.match(/stay in their engine/);
    });

    it('ids that cannot assign rows', async () => {
      const file = await database(
        'ids.duckdb',
        `CREATE TABLE trips AS SELECT CAST(id AS BIGINT) - 100 AS low, 1 AS same, CASE WHEN id % 2 = 0 THEN id END AS holes, 'a' AS name, x0, linear FROM '${path}'`,
      );
      for (const [id, said] of [
        ['low', /goes down to -97/],
        ['same', /1 value in 24000 rows/],
        ['holes', /no value in \d+ rows/],
        ['name', /whole number/],
        ['other', /does not exist/],
      ] as const)
        expect(
          (
            await refusal(() =>
              estimate(onDuckdb({ table: 'trips', database: file, id }), { target: 'linear', features: ['x0'] }),
            )
          ).message,
        ).to.match(said);
    });

    it('targets and weights that cannot be', async () => {
      const rows = onDuckdb({ files: path, id: 'id' });
      expect((await refusal(() => estimate(rows, { ...target, loss: lossByName('logistic') }))).message).to.match(
        /target that is not valid/,
      );
      expect((await refusal(() => estimate(rows, { ...target, features: ['x0'], weights: 'x1' }))).message).to.match(
        /weight below 0/,
      );
    });

    it('other machines without the extension that reaches them, and files of other kinds', async () => {
      expect((await refusal(() => estimate(onDuckdb({ files: 's3://bucket/rows.parquet' }), target))).message).to.match(
        /httpfs/,
      );
      expect((await refusal(() => estimate(onDuckdb({ files: 'rows.arrow' }), target))).message).to.match(
        /leave the engine out/,
      );
      expect(() => onDuckdb({ sql: 'SELECT 1' })).to.throw(/needs `id`/);
      expect(() => onDuckdb({ table: 'a' })).to.throw(/go together/);
    });
  });
});
