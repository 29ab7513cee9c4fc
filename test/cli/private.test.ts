import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromArrays, tableToIPC } from 'apache-arrow';
import { expect } from 'chai';
import { Command } from 'commander';
import { fitCommand } from '../../src/cli/commands/fitCommand.ts';
import { addFitFlags, type FitFlags } from '../../src/cli/flags/fitFlags.ts';
import { inFlags } from '../../src/cli/render/inFlags.ts';
import { normal } from '../../src/math/random/normal.ts';
import { uniform } from '../../src/math/random/random.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { parseModel } from '../../src/model/model.ts';
import { epsilonFor, muFor } from '../../src/privacy/gaussianDp.ts';
import { readLedgerFile } from '../../src/privacy/ledgerFile/readLedgerFile.ts';
import { openPredictionSink } from '../../src/sink/table/openPredictionSink.ts';
import { expectClose } from '../support/close.ts';
import { runCli } from '../support/runCli.ts';

const rows = 8000;
const random = seeded('private', 'cli');
/** x, z, the person behind the row, and y = 2 x - 0.1 z + 7 with some noise: four rows a person. */
const table = Array.from({ length: rows }, (_, i) => {
  const [x, z] = [10 * uniform(random), 100 * uniform(random)];
  return [x, z, i >> 2, 2 * x - 0.1 * z + 7 + normal(random)];
});
const NAMES = ['x', 'z', 'person', 'y'];
const csvOf = (cells: readonly (readonly (number | string)[])[]): string =>
  `${[NAMES, ...cells].map(row => row.join(',')).join('\n')}\n`;

const BOUNDS = 'x:0..10,z:0..100,y:-10..40';
const budget = ['--epsilon', '1', '--delta', '1e-6'];
const usual = ['--target', 'y', ...budget, '--bounds', BOUNDS, '--quiet'];

describe('sluice fit --epsilon', () => {
  let folder: string;
  let csv: string;
  let parquet: string;
  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-private-'));
    csv = file('people.csv', csvOf(table));
    parquet = join(folder, 'people.parquet');
    const sink = await openPredictionSink(parquet, { columns: NAMES });
    const columns = NAMES.map((_, j) => Float64Array.from(table, row => row[j]!));
    await sink.write(columns, rows);
    await sink.commit();
  });
  after(() => rmSync(folder, { recursive: true }));

  const fitted = async (...flags: readonly string[]) => {
    const run = await runCli(['fit', csv, ...usual, '--json', ...flags]);
    expect(run.code, run.stderr).to.equal(0);
    return JSON.parse(run.stdout);
  };

  it('reads a column that is named like an element of a vector', async () => {
    const named = file('elements.csv', csvOf(table).replace('x,', 'x[0],'));
    const run = await runCli([
      'fit',
      named,
      '--target',
      'y',
      ...budget,
      '--bounds',
      BOUNDS.replace('x:', 'x[0]:'),
      '--json',
    ]);
    expect(run.code, run.stderr).to.equal(0);
    expect(JSON.parse(run.stdout).coefficients['x[0]']).to.be.closeTo(2, 0.5);
  });

  it('refuses a folder that cannot take the rows before the ledger charges a line of the run', async () => {
    // More than are scattered in memory.
    const [count, width] = [450_000, 20];
    const names = Array.from({ length: width }, (_, j) => `x${j}`);
    const wide = file('wide.csv', `${names},y\n${`${'0,'.repeat(width)}1\n`.repeat(count)}`);
    const ledger = join(folder, 'unspent.jsonl');
    const bounds = [...names, 'y'].map(name => `${name}:0..1`).join(',');
    const flags = ['--target', 'y', '--epsilon', '1', '--delta', '1e-7', '--bounds', bounds, '--quiet'];
    const kept = ['--ledger', ledger, '--dataset', 'wide', '--budget', '1'];
    const nowhere = join(folder, 'nowhere');
    const run = await runCli(['fit', wide, ...flags, ...kept, '--mode', 'fresh', '--scratch', nowhere]);
    expect(run.code, run.stderr).to.equal(2);
    expect(run.stderr).to.include(`--scratch ${nowhere} is not a folder`);
    expect(existsSync(ledger)).to.equal(false);
  });

  it('fits a CSV file under secure noise and says what is promised', async () => {
    const out = join(folder, 'model.json');
    const { code, stdout, stderr } = await runCli(['fit', csv, ...usual, '--out', out]);
    expect(code, stderr).to.equal(0);
    expect(stderr).to.equal('');
    expect(stdout).to.include('y on 2 features, pseudo-huber(5) loss');
    expect(stdout).to.include('8000 of 8000 rows in');
    expect(stdout).to.match(/0 left over, exact noise for gradients of norm 0\.173205\n/);
    expect(stdout).to.match(
      /^\(1, 0\.000001\)-differentially private for replacing one row; mu 0\.23\d+, rho 0\.02\d+$/m,
    );
    const model = parseModel(readFileSync(out, 'utf8'), out);
    // By the plan the noise of a scaled coefficient is 0.01, which is 0.05 here for x and 0.005 for z: 10 of them.
    expect(model.coefficients['x']).to.be.closeTo(2, 0.5);
    expect(model.coefficients['z']).to.be.closeTo(-0.1, 0.05);
    expect(model.rows).to.deep.equal({ read: rows, used: rows, leftOver: 0, invalid: null });
    const { ledger } = model;
    expect(ledger).to.include({ private: true, epsilon: 1, delta: 1e-6, unit: 'row' });
    expectClose(ledger.mu!, muFor(1, 1e-6), 1e-6);
    expect(ledger.mu).to.be.at.most(muFor(1, 1e-6));
    expectClose(ledger.rho!, ledger.mu! ** 2 / 2);
    expect(ledger.slack).to.be.above(0).and.below(1e-9);
    expect(ledger.entries).to.have.length(model.steps.length + 2);
    expect(model.choices).to.have.length(1);
    expect(model.choices![0]).to.match(
      /^calibration exact, second moments first: predicted error 0\.\d+ if bounds are three times as wide as what they hold, against 0\.\d+ for exact, full, \d+ steps$/,
    );
    expect(Object.keys(model.uncertainty!.intervals)).to.deep.equal(['x', 'z', '(intercept)']);
    const [low, high] = model.uncertainty!.intervals['x']!;
    expect(model.coefficients['x'])
      .to.be.closeTo((low + high) / 2, 1e-9)
      .and.within(low, high);
    expect(model.uncertainty!.basis).to.include('from the declared noise and from what was released');
    expect(model.plan).to.deep.include({
      calibration: 'exact',
      bounds: { x: { least: 0, most: 10 }, z: { least: 0, most: 100 }, y: { least: -10, most: 40 } },
    });
  });

  it('sums a Parquet file and a CSV file to the same model for the same seed, by bounds as text and as a file', async () => {
    const json = file('bounds.json', '{"x": [0, 10], "z": [0, 100], "y": [-10, 40]}');
    const seed = ['--seed', '5', '--json'];
    const [text, columns, byFile] = await Promise.all([
      runCli(['fit', csv, ...usual, ...seed]),
      runCli(['fit', parquet, ...usual, ...seed]),
      runCli(['fit', csv, '--target', 'y', ...budget, '--bounds', json, '--quiet', ...seed]),
    ]);
    expect(text.code, text.stderr).to.equal(0);
    expect(columns.stdout).to.equal(text.stdout);
    expect(byFile.stdout).to.equal(text.stdout);
  });

  it('marks a seeded run as not private, on the screen and in the model', async () => {
    const { code, stdout } = await runCli(['fit', csv, ...usual, '--seed', '5']);
    expect(code).to.equal(0);
    expect(stdout).to.include('NOT PRIVATE (seeded): anyone who knows the seed can remove the noise\n');
    expect(stdout).to.not.include('differentially private');
    const { ledger } = await fitted('--seed', '5');
    expect(ledger).to.include({
      private: false,
      note: 'NOT PRIVATE (seeded)',
      epsilon: null,
      delta: null,
      mu: null,
    });
  });

  it('takes every calibration, mode and bound', async () => {
    const [exact, parallel, paper, norm, clip, box] = await Promise.all([
      fitted('--calibration', 'exact', '--mode', 'full'),
      fitted('--calibration', 'parallel', '--mode', 'fresh', '--steps', '4'),
      fitted('--calibration', 'paper', '--epsilon', '0.9', '--steps', '2'),
      runCli([
        'fit',
        parquet,
        '--target',
        'y',
        '--features',
        'x,z',
        ...budget,
        '--bounds',
        'y:-10..40',
        '--norm-bound',
        '100',
        '--json',
      ]),
      fitted('--loss', 'squared', '--clip', '0.5'),
      fitted('--loss', 'squared', '--set', 'l2', '--radius', '1'),
    ]);
    expect(exact.plan).to.include({ calibration: 'exact', mode: 'full', chunks: null });
    expect(parallel.plan).to.include({ calibration: 'parallel', mode: 'fresh' });
    expect(parallel.plan.chunks).to.have.length(4);
    expectClose(parallel.ledger.mu, exact.ledger.mu, 1e-6);
    expect(paper.plan.calibration).to.equal('paper');
    expect(paper.ledger.mu).to.be.below(muFor(0.9, 1e-6) / 5);
    expect(norm.code, norm.stderr).to.equal(0);
    const { plan: byNorm } = JSON.parse(norm.stdout);
    expect(byNorm.normBound).to.equal(100);
    // Whitened rows count less that are longer than half of what three coordinates make them.
    expectClose(byNorm.lipschitz, (0.2 * Math.sqrt(3)) / 2);
    expectClose(byNorm.moments.rowLength, Math.sqrt(3) / 2);
    // Of (x, 1) where a feature fills a fifth of its bounds, and a target of 1 in units of 2.
    expectClose(byNorm.moments.norm, Math.hypot(1 + 1 / 75, 1 / 2));
    const asScaled = await fitted('--moments', 'no', '--steps', '3');
    expectClose(asScaled.plan.lipschitz, 0.2 * Math.sqrt(1 + 2 / 75));
    expect(asScaled.plan).to.not.have.property('moments');
    expect(clip.plan).to.include({ clip: 0.5, lipschitz: 0.5 });
    expect(box.loss).to.deep.equal({ name: 'squared' });
    // |x.theta - y| <= sqrt(3) + 1.
    expectClose(box.plan.lipschitz, Math.sqrt(1 + 2 / 75) * (Math.sqrt(3) + 1));
    expectClose(box.plan.rowLength, Math.sqrt(1 + 2 / 75));
    const whole = await fitted('--row-length', 'none', '--steps', '3');
    expectClose(whole.plan.lipschitz, 0.2 * Math.sqrt(3));
    expect(whole.plan).to.not.have.property('rowLength');
  });

  it('protects a person with all rows: K rows cost K times the noise', async () => {
    const flags = ['--steps', '5', '--mode', 'full'];
    const [alone, all] = await Promise.all([
      fitted(...flags),
      fitted(...flags, '--unit', 'person', '--max-per-unit', '4'),
    ]);
    expect(all.ledger.unit).to.equal('person');
    expect(all.plan).to.include({ unit: 'person', maxPerUnit: 4 });
    expect(all.features).to.deep.equal(['x', 'z']);
    expectClose(all.steps[0].sigma, 4 * alone.steps[0].sigma, 1e-6);
    expectClose(all.ledger.mu, alone.ledger.mu, 1e-6);
    const { stdout } = await runCli(['fit', csv, ...usual, ...flags, '--unit', 'person', '--max-per-unit', '4']);
    expect(stdout).to.include('private for replacing all rows of one person;');
  });

  it('takes a person whose number would be rounded to that of another for one of its own', async () => {
    const withPersons = async (name: string, person: string): Promise<string> => {
      const path = file(name, csvOf(table.map(([x, z, own, y], i) => [x!, z!, i % 3 === 0 ? person : own!, y!])));
      const flags = ['--unit', 'person', '--max-per-unit', '4', '--steps', '2', '--seed', '1', '--json'];
      const { code, stdout, stderr } = await runCli(['fit', path, ...usual, ...flags]);
      expect(code, stderr).to.equal(0);
      return JSON.stringify(JSON.parse(stdout).coefficients);
    };
    const rounded = await withPersons('rounded.csv', '7.00000000000000000001');
    expect(rounded).to.equal(await withPersons('named.csv', 'somebody'));
    expect(rounded).not.to.equal(await withPersons('seven.csv', '7'));
    expect(rounded).not.to.equal(await withPersons('nobody.csv', ''));
  });

  it('says where noise hides slopes, and only there', async () => {
    const hidden = await fitted('--epsilon', '0.02', '--seed', '1');
    expect(hidden.notes.join()).to.include('noise hides');
    const seen = await fitted('--seed', '1');
    expect((seen.notes ?? []).join()).not.to.include('noise hides');
  });

  it('refuses units of times, and of floats so short that two may have become one, by column and type', async () => {
    const units: readonly (readonly [string, (persons: readonly number[]) => unknown, string])[] = [
      [
        'timed',
        persons => persons.map(person => new Date(1e12 + person)),
        'Timestamp(ms), but units must be identified by texts or whole numbers',
      ],
      [
        'short',
        persons => Float32Array.from(persons),
        'Float32, which rounds large numbers, so that two units may have become one',
      ],
    ];
    for (const [name, of, problem] of units) {
      const path = join(folder, `${name}.arrow`);
      const columns = NAMES.map((column, j) => {
        const values = table.map(row => row[j]!);
        return [column, column === 'person' ? of(values) : Float64Array.from(values)];
      });
      writeFileSync(path, tableToIPC(tableFromArrays(Object.fromEntries(columns)), 'file'));
      const run = await runCli(['fit', path, ...usual, '--unit', 'person', '--max-per-unit', '4']);
      expect([run.code, run.stderr]).to.deep.equal([
        2,
        `sluice: ${path}, column "person": is ${problem}; name a column with a text or a whole number for each unit\n`,
      ]);
    }
  });

  it('charges a ledger file before it draws, composes runs, and refuses to overspend', async () => {
    const path = join(folder, 'ledger.jsonl');
    const keep = ['--ledger', path, '--dataset', 'people', '--budget', '1.6', '--steps', '3', '--moments', 'yes'];
    const first = await fitted(...keep);
    expect(first.ledger.file).to.include({ dataset: 'people' });
    const second = await runCli(['fit', csv, ...usual, ...keep, '--epsilon', '0.9']);
    expect(second.code, second.stderr).to.equal(0);
    const third = await runCli(['fit', csv, ...usual, ...keep, '--out', join(folder, 'third.json')]);
    expect(third.code).to.equal(2);
    expect(third.stdout).to.equal('');
    expect(readdirSync(folder)).to.not.include('third.json');
    const [account] = readLedgerFile(path).accounts;
    expect(account).to.deep.include({ dataset: 'people', isPrivate: true });
    expect(account!.runs.map(run => [run.isFinished, run.charges])).to.deep.equal([
      [true, 5],
      [true, 5],
    ]);
    const spent = Math.hypot(muFor(1, 1e-6), muFor(0.9, 1e-6));
    expectClose(account!.mu!, spent, 1e-6);
    const left = Math.sqrt(muFor(1.6, 1e-6) ** 2 - spent ** 2);
    const [, epsilon] = /epsilon (0\.\d+)/.exec(third.stderr.replace(/.*left/s, 'left')) ?? [];
    expect(third.stderr).to.include('left');
    expectClose(Number(epsilon), epsilonFor(left, 1e-6), 1e-3);
    const simulated = await runCli(['fit', csv, ...usual, ...keep, '--dataset', 'demo', '--seed', '1']);
    expect(simulated.code, simulated.stderr).to.equal(0);
    expect(readLedgerFile(path).accounts[1]).to.include({ dataset: 'demo', isPrivate: false });
  });

  it('does not add runs for persons to runs for rows', async () => {
    const path = join(folder, 'units.jsonl');
    const keep = ['--ledger', path, '--dataset', 'people', '--budget', '1.6', '--steps', '3'];
    await fitted(...keep, '--unit', 'person', '--max-per-unit', '4');
    const before = readFileSync(path, 'utf8');
    for (const other of [[], ['--unit', 'person', '--max-per-unit', '3']]) {
      const { code, stdout, stderr } = await runCli(['fit', csv, ...usual, ...keep, ...other]);
      expect([code, stdout]).to.deep.equal([2, '']);
      expect(stderr).to.match(
        /^sluice: the account of data set "people" protects all rows of one person, of which at most 4 are used, but the run would .*; give --unit person --max-per-unit 4$/m,
      );
    }
    expect(readFileSync(path, 'utf8')).to.equal(before);
    await fitted(...keep, '--unit', 'person', '--max-per-unit', '4');
    expectClose(readLedgerFile(path).accounts[0]!.mu, Math.SQRT2 * muFor(1, 1e-6), 1e-6);
  });

  it('refuses what is not private or makes no sense, by the name of the flag', async () => {
    const plain = ['--target', 'y'];
    const withBounds = [...plain, ...budget, '--bounds', BOUNDS];
    const cases: readonly (readonly [flags: readonly string[], text: string])[] = [
      [[...plain, '--epsilon', '0', '--delta', '1e-6', '--bounds', BOUNDS], '--epsilon must be above 0'],
      [[...plain, '--epsilon', '1', '--delta', '1e-3', '--bounds', BOUNDS], 'delta must be below 1/n'],
      [[...plain, ...budget], 'name them with --features, or declare bounds'],
      [[...plain, ...budget, '--features', 'x'], '--bounds must include the target "y"'],
      [
        [...plain, ...budget, '--features', 'x,z', '--bounds', 'x:0..10,y:0..1'],
        '--bounds must include every feature, but lacks z',
      ],
      [
        [...plain, ...budget, '--bounds', 'x:10..0,y:0..1'],
        'the bounds of x must have a lower end below the upper one, got 10..0; the ends are reversed, write 0..10',
      ],
      [[...plain, ...budget, '--bounds', csv], 'is not JSON'],
      [
        [...plain, ...budget, '--bounds', 'y:-2..1'],
        "--bounds has the target y but no feature, and a private run does not choose features by looking at the data; add bounds for the features, from public knowledge and not from the data: --bounds 'x1:-1..1,y:-2..1'",
      ],
      [
        [...plain, ...budget, '--bounds', 'y:0..1', '--norm-bound', '5'],
        'name the features that --norm-bound is for with --features',
      ],
      [[...withBounds, '--loss', 'poisson'], '--loss poisson takes targets in 0.., but --bounds declares y:-10..40'],
      [[...withBounds, '--loss', 'logistic'], '--loss logistic takes targets in 0..1'],
      [[...withBounds, '--row-length', '0'], '--row-length'],
      [
        [...withBounds, '--moments', 'yes', '--loss', 'squared', '--set', 'l2'],
        '--moments yes does not go with --set l2; leave',
      ],
      [[...withBounds, '--loss', 'squared:3', '--clip', '1'], '--loss squared takes no parameter'],
      [[...withBounds, '--calibration', 'paper'], '--epsilon must be at most 0.9 for --calibration paper'],
      [[...plain, '--epsilon', '1', '--delta', '1e-3', '--bounds', BOUNDS], 'or --accept-large-delta'],
      [[...withBounds, '--epsilon', '1000'], 'epsilon must be at most 600'],
      [
        [...withBounds, '--unit', 'person', '--max-per-unit', '400000'],
        'use a larger epsilon, or fewer steps or rows per unit',
      ],
      [[...withBounds, '--steps', '4', '--epsilon', '0.0001'], 'rows are too few for epsilon'],
      [[...plain, '--delta', '1e-6'], '--delta is for private runs; give --epsilon too'],
      [[...plain, '--seed', '1'], '--seed is for private runs'],
      [[...plain, ...budget, '--bounds', 'x:0..1,nothing:0..1,y:0..1'], '"nothing"'],
    ];
    for (const [flags, text] of cases) {
      // In this process, which spares half a minute; the next test sees the process end.
      const command = addFitFlags(new Command()).exitOverride().requiredOption('--target <column>');
      const given = command.parse([...flags, '--quiet'], { from: 'user' }).opts<FitFlags>();
      const refusal = await fitCommand([csv], given).then(
        () => new Error('nothing'),
        (error: Error) => error,
      );
      expect(inFlags(refusal.message), flags.join(' ')).to.include(text);
      expect(refusal.name, flags.join(' ')).to.equal('ArgumentError');
    }
  });

  it('refuses with exit code 2, and writes nothing', async () => {
    const before = readdirSync(folder);
    const out = join(folder, 'never.json');
    const [bounds, query] = await Promise.all([
      runCli(['fit', csv, '--target', 'y', ...budget, '--features', 'x', '--out', out]),
      runCli(['fit', '--sql', `SELECT * FROM '${csv}'`, ...usual, '--out', out]),
    ]);
    expect([bounds.code, bounds.stdout, query.code, query.stdout]).to.deep.equal([2, '', 2, '']);
    expect(bounds.stderr).to.match(
      /^sluice: --bounds must include the target "y": add y:LEAST\.\.MOST, from public knowledge/,
    );
    expect(query.stderr).to.match(/^sluice: --sql may combine several rows into one/);
    expect(readdirSync(folder)).to.deep.equal(before);
  });

  it('refuses flags that no private run may have before it looks for files', async () => {
    const { code, stderr } = await runCli(['fit', join(folder, 'nowhere.csv'), ...usual, '--weights', 'z']);
    expect(code).to.equal(2);
    expect(stderr).to.equal('sluice: --weights is not for private runs, because row weights are data; leave it out\n');
  });

  it('fits the levels of a text beside a number', async () => {
    const own = seeded('private', 'towns');
    const lines = table.map(([x]) => {
      const town = Math.floor(12 * uniform(own));
      return `${x},t${town},${2 * x! + (town === 3 ? 8 : 0) + normal(own)}`;
    });
    const path = file('towns.csv', `x,town,y\n${lines.join('\n')}\n`);
    const levels = Array.from({ length: 12 }, (_, k) => `t${k}`).join('|');
    const run = await runCli([
      ...['fit', path, '--target', 'y', '--epsilon', '3', '--delta', '1e-6', '--seed', '1', '--json'],
      ...['--bounds', 'x:0..10,y:-10..40', '--categorical', `town=${levels}`, '--quiet'],
    ]);
    expect(run.code, run.stderr).to.equal(0);
    const { coefficients, plan } = JSON.parse(run.stdout);
    // x, twelve towns and the intercept, whitened; a row has one town: x, of which a fifth is taken for usual, the town
    // and 1.
    expectClose(plan.lipschitz, (0.2 * Math.sqrt(14)) / 2);
    expectClose(plan.moments.norm, Math.hypot(1 / 75 + 1 + 1, 1 / 2));
    expect(coefficients.x).to.be.closeTo(2, 0.3);
    expect(coefficients['town=t3'] - coefficients['town=t4']).to.be.closeTo(8, 2.5);
  });

  it('reads a stream once, of as many rows as are declared', async () => {
    const text = readFileSync(csv);
    const run = await runCli(['fit', '-', ...usual, '--rows', String(rows), '--json'], text);
    expect(run.code, run.stderr).to.equal(0);
    expect(JSON.parse(run.stdout).plan.mode).to.equal('fresh');
    const full = await runCli(
      ['fit', '-', ...usual, '--rows', String(rows), '--mode', 'full', '--order', 'as-is'],
      text,
    );
    expect(full.code).to.equal(2);
    expect(full.stderr).to.include('use --mode fresh');
  });

  describe('tells nothing of a row but through noise:', () => {
    /** Neighbours: row 4321 as it is, and as it must not be seen to be. */
    const neighbours: Readonly<Record<string, readonly (number | string)[]>> = {
      usual: table[4321]!,
      'not a number': ['NaN', 50, 1080, 10],
      'a huge number': [5, 1e308, 1080, 1e308],
      'an empty cell': ['', 50, 1080, 10],
      text: ['abc', 'def', 1080, 'ghi'],
      'out of bounds': [-1e6, 1e6, 1080, 1e6],
      infinite: ['-inf', 50, 1080, 'Infinity'],
      'a date, and a whole number that no double holds': ['2001-02-03', '9007199254740993', 1080, 10],
    };
    /** Without the digits of released values, and the blanks that line them up. */
    const shapeOf = (text: string): string => text.replace(/-?\d+(\.\d+)?(e[+-]?\d+)?/g, '#').replace(/ +/g, ' ');
    /** Lines that are no records at all, and where they stand. */
    const broken = [
      { place: 0, lines: ['5,50', '"5,50,1080,10', '\u0001'] },
      { place: 4321, lines: ['5,50,1080,10,11', '"5"0,50,1080,10'] },
    ];
    const withLine = (line: string, place: number): string =>
      csvOf(table)
        .split('\n')
        .map((own, i) => (i === place + 1 ? line : own))
        .join('\n');
    const withRow = (cells: readonly (number | string)[], place = 4321) =>
      csvOf(table.map((row, i) => (i === place ? cells : row)));

    interface Seen {
      readonly code: number | null;
      readonly stdout: string;
      readonly stderr: string;
      readonly model: string;
    }
    const see = async (text: string, ...flags: readonly string[]): Promise<Seen> => {
      const [path, out] = [file('neighbour.csv', text), join(folder, 'neighbour.json')];
      const run = await runCli(['fit', path, '--target', 'y', ...budget, '--bounds', BOUNDS, '--out', out, ...flags]);
      expect(run.code, run.stderr).to.equal(0);
      const model = readFileSync(out, 'utf8');
      rmSync(out);
      return { ...run, model };
    };
    /** A released value, and a public number more or less. */
    const INTERVAL_END = /^ {8}-?\d[\d.e+-]*,?$/;
    const RELEASED = /^\s+(x|z|\(intercept\)) +-?\d/;
    const releasedOf = (line: string): boolean =>
      RELEASED.test(line) ||
      // Coefficients, gradients, and errors, which are made of noised second moments.
      /^\s+"(x|z|intercept|\(intercept\)|gradientNorm)": /.test(line) ||
      INTERVAL_END.test(line) ||
      // Made of noised gradients.
      line.includes('the steps did not converge');

    it('the same lines for every neighbour, which differ in released values alone', async () => {
      const flags = ['--seed', '3', '--steps', '4'];
      const expected = await see(withRow(neighbours['usual']!), ...flags);
      expect(expected.stderr).to.equal('');
      for (const [name, cells] of Object.entries(neighbours)) {
        const seen = await see(withRow(cells), ...flags);
        expect(seen.stderr, name).to.equal('');
        for (const part of ['stdout', 'model'] as const) {
          const [before, after] = [expected[part].split('\n'), seen[part].split('\n')];
          expect(after, name).to.have.length(before.length);
          const changed = after.filter((line, k) => line !== before[k]);
          expect(changed.every(releasedOf), `${name}: ${changed.join('|')}`).to.equal(true);
          if (name !== 'usual') expect(changed, name).to.not.have.length(0);
          after.forEach((line, k) => {
            expect(shapeOf(line), name).to.equal(shapeOf(before[k]!));
          });
        }
      }
    });

    it('the same lines for a record that is none, be it the first: it counts as a row that cannot be used', async () => {
      const flags = ['--seed', '3', '--steps', '4'];
      for (const { place, lines } of broken) {
        const expected = await see(withRow(['', '', '', ''], place), ...flags);
        for (const line of lines) expect(await see(withLine(line, place), ...flags), line).to.deep.equal(expected);
      }
    });

    it('the same shape under secure noise, and for the first row, which types could be guessed from', async () => {
      const expected = await see(withRow(neighbours['usual']!));
      for (const [cells, place] of [
        [neighbours['text']!, 0],
        [neighbours['not a number']!, 4321],
        [neighbours['a date, and a whole number that no double holds']!, 1],
      ] as const) {
        const seen = await see(withRow(cells, place));
        for (const part of ['stdout', 'stderr', 'model'] as const) {
          expect(shapeOf(seen[part])).to.equal(shapeOf(expected[part]));
        }
      }
    });

    it('no count of invalid rows, no range and no gradient without noise in the model', async () => {
      const half = table.map((row, i) => (i % 2 === 0 ? ['abc', ...row.slice(1)] : row));
      const { model, stdout } = await see(csvOf(half), '--steps', '3', '--moments', 'yes');
      const found = JSON.parse(model);
      expect(found.rows).to.deep.equal({ read: rows, used: rows, leftOver: 0, invalid: null });
      expect(Object.keys(found).sort()).to.deep.equal([
        'categorical',
        'coefficients',
        'createdWith',
        'features',
        'format',
        'intercept',
        'ledger',
        'loss',
        'notes',
        'plan',
        'rows',
        'steps',
        'target',
        'uncertainty',
        'version',
      ]);
      expect(Object.keys(found.plan).sort()).to.deep.equal([
        'aggregate',
        'blocks',
        'bounds',
        'calibration',
        'chunks',
        'lipschitz',
        'mode',
        'moments',
        'rule',
        'steps',
        'tail',
      ]);
      expect(stdout).to.not.match(/invalid|4000/);
      // Each step adds as much to its gradient as it says: were a norm that of the plain sum, two runs would agree at
      // the first step.
      const again = JSON.parse((await see(csvOf(half), '--steps', '3', '--moments', 'yes')).model);
      expect(again.steps[0].gradientNorm).to.not.equal(found.steps[0].gradientNorm);
      expect(again.steps[0].sigma).to.equal(found.steps[0].sigma);
    });
  });
});

describe('sluice plan --epsilon', () => {
  const plan = (...flags: readonly string[]) => runCli(['plan', '--target', 'y', ...budget, ...flags]);

  it('prints what a private fit would do, what it should cost, and what else there is', async () => {
    const { code, stdout, stderr } = await plan('--rows', '8000', '--bounds', BOUNDS);
    expect(code, stderr).to.equal(0);
    expect(stdout).to.match(/^8000 rows, 2 features and an intercept, scaled to \[-1, 1\] by their declared bounds\n/);
    expect(stdout).to.match(/^privacy {2}\(1, 0\.000001\), mu 0\.23\d+, for replacing one row; calibration exact$/m);
    expect(stdout).to.match(/^loss {5}pseudoHuber\(0\.2\), targets in units of [\d.]+$/m);
    const classes = await plan('--rows', '8000', '--bounds', 'a:0..1,y:0..1');
    expect(classes.stdout).to.include('if they are classes, 0 or 1, use --loss logistic');
    expect(classes.stdout).to.match(/^8000 rows, 1 feature and an intercept,/);
    const rounded = await plan(
      ...['--rows', '8000', '--bounds', 'a:0..1,y:0..3', '--loss', 'pseudo-huber:0.3', '--ridge', '0.1'],
    );
    expect(rounded.stdout).to.include('\nloss     ridge(pseudoHuber(0.2), 0.1), targets in units of 1.5\n');
    expect(rounded.stdout).to.match(/, ridge bias 0\.\d+\), assuming that bounds/);
    expect(rounded.stdout).to.match(/^note: --ridge 0\.1 shrinks coefficients towards 0, in units of/m);
    expect(stdout).to.include(
      'gradient norm of a row at most 0.173205, from loss and bounds; rows of norm above 0.866025 are down-weighted',
    );
    expect(stdout).to.match(
      /^moments {2}second moments of all rows are released first, with noise of 0\.\d+, at the cost of one step; the steps are taken in the coordinates they whiten, and a final release of the curvature of the risk costs as much again$/m,
    );
    expect(stdout).to.match(
      /^ {2}instead: exact, full, \d+ steps: 0\.\d+ \(1: 0\.\d+, 2: 0\.\d+, 5: 0\.\d+, 10: 0\.\d+\)$/m,
    );
    const asScaled = await plan('--rows', '8000', '--bounds', BOUNDS, '--moments', 'no');
    expect(asScaled.stdout).to.not.include('second moments of');
    expect(asScaled.stdout).to.include(
      'gradient norm of a row at most 0.202649, from loss and bounds; rows of norm above 1.01325 are down-weighted',
    );
    expect(stdout).to.match(
      /^steps {4}\d+ \(nesterov\), each over all 8000 rows; the average of the last \d+ iterates$/m,
    );
    expect(stdout).to.match(
      /^noise {4}standard deviation 0\.\d+ on each coordinate of the last step's mean gradient$/m,
    );
    expect(stdout).to.match(/^predicted error 0\.\d+ in scaled coefficients/m);
    const errors = [
      'predicted error',
      'with twice the rows:',
      'with twice the epsilon:',
      'instead: parallel, fresh, \\d+ steps:',
    ].map(name => Number(new RegExp(`${name} (0\\.\\d+)`).exec(stdout)![1]));
    expect(errors[1]).to.be.below(errors[0]!);
    expect(errors[2]).to.be.below(errors[0]!);
    expect(errors[3]).to.be.above(errors[0]!);
  });

  it('plans as fit does: the same noise, steps and bounds', async () => {
    const shape = ['--bounds', BOUNDS, '--mode', 'fresh', '--steps', '5', '--max-per-unit', '2', '--unit', 'person'];
    const { stdout } = await plan('--rows', String(rows), ...shape, '--json');
    const { steps, privacy } = JSON.parse(stdout);
    const folder = mkdtempSync(join(tmpdir(), 'sluice-plan-'));
    try {
      const path = join(folder, 'people.csv');
      writeFileSync(path, csvOf(table));
      const run = await runCli(['fit', path, '--target', 'y', ...budget, ...shape, '--json', '--quiet']);
      expect(run.code, run.stderr).to.equal(0);
      const model = JSON.parse(run.stdout);
      expect(model.steps.map((step: { sigma: number }) => step.sigma)).to.deep.equal(
        steps.map((step: { release: { sigma: number } }) => step.release.sigma),
      );
      expect(model.plan.lipschitz).to.equal(privacy.lipschitz);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('counts the levels of text, and features that only a norm bounds', async () => {
    const levels = await plan(
      '--rows',
      '8000',
      '--bounds',
      'x:0..10,y:0..1',
      '--categorical',
      'town=Ulm|Bath|Lyon',
      '--steps',
      '5',
    );
    expect(levels.stdout).to.include('8000 rows, 4 features and an intercept');
    const norm = await plan(
      '--rows',
      '8000',
      '--width',
      '7',
      '--norm-bound',
      '3',
      '--bounds',
      'y:0..1',
      '--steps',
      '5',
    );
    expect(norm.stdout, norm.stderr).to.include('8000 rows, 7 features and an intercept');
    const wrong = await plan('--rows', '8000', '--width', '7', '--bounds', BOUNDS);
    expect([wrong.code, wrong.stderr]).to.deep.equal([
      2,
      'sluice: --width must be 2, the number of features that are named or bounded, got 7; leave one of them out\n',
    ]);
    const rowless = await plan('--bounds', BOUNDS);
    expect(rowless.code).to.equal(2);
    expect(rowless.stderr).to.include('--rows');
  });

  it('marks the plan of a seeded run, and says what bounds that are too wide would cost', async () => {
    const { stdout } = await plan('--rows', '8000', '--bounds', BOUNDS, '--seed', '1');
    expect(stdout).to.match(/^NOT PRIVATE \(seeded\): a simulation of the plan below\n/);
    const line =
      /^ {2}by how many times wider than what they hold bounds are: 1: (\S+), 2: (\S+), 5: (\S+), 10: (\S+)$/m;
    const [two, five, ten] = line.exec(stdout)!.slice(2).map(Number);
    expect(five).to.be.above(two!);
    expect(ten).to.be.above(five!);
  });

  it('says what twice the rows would give though delta be too large for them, but not what would be refused', async () => {
    const near = await plan('--rows', '8000', '--delta', '1e-4', '--bounds', BOUNDS, '--steps', '5');
    expect(near.code, near.stderr).to.equal(0);
    expect(near.stdout).to.include('with twice the rows');
    expect(near.stdout).to.include('with twice the epsilon');
    const paper = ['--epsilon', '0.6', '--calibration', 'paper', '--json'];
    const far = JSON.parse((await plan('--rows', '80000', '--bounds', BOUNDS, ...paper)).stdout);
    // The paper has no noise for an epsilon above 0.9.
    expect(far.prospects.map(({ name }: { readonly name: string }) => name)).to.deep.equal(['twice the rows']);
    expect(far.prospects[0].predicted.total).to.be.below(far.predicted.total);
  });

  it('needs no radius for means and counts, and takes one for a ball without it, and says so', async () => {
    const squared = ['--rows', '8000', '--bounds', BOUNDS, '--loss', 'squared'];
    const free = await plan(...squared);
    expect(free.code, free.stderr).to.equal(0);
    expect(free.stderr).to.equal('');
    expect(free.stdout).to.include('squared, residuals bounded by the range of the targets');
    expect(free.stdout).to.include('second moments of all rows');
    const ball = await plan(...squared, '--set', 'l2');
    expect(ball.stderr).to.include('--radius is not given, so scaled coefficients are constrained to norm 2');
    expect(ball.stderr).to.include('noise for the squared loss grows with it');
    const bounded = await plan('--rows', '8000', '--bounds', BOUNDS, '--set', 'l2');
    expect(bounded.stderr).to.include('constrained to norm 2').and.not.include('grows with it');
    const same = await plan(...squared, '--set', 'l2', '--radius', '2');
    expect(same.stderr).to.equal('');
    expect(same.stdout).to.equal(ball.stdout);
    const poisson = ['--rows', '80000', '--bounds', 'x:0..10,y:0..40', '--loss', 'poisson'];
    const counts = await plan(...poisson);
    expect(counts.stderr).to.equal('');
    expect(counts.stdout).to.include('poisson, rates bounded by the largest count');
    expect((await plan(...poisson, '--set', 'l2')).stderr).to.include('constrained to norm 1');
  });

  it('warns of levels that say with the intercept the same twice', async () => {
    const flags = ['--rows', '80000', '--bounds', BOUNDS, '--categorical', 'town=a|b'];
    expect((await plan(...flags)).stderr).to.include('only differences between levels are meaningful');
    expect((await plan(...flags, '--no-intercept')).stderr).to.equal('');
  });
});
