import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { normal } from '../../src/math/random/normal.ts';
import { uniform } from '../../src/math/random/random.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { studentT } from '../../src/math/random/studentT.ts';
import { parseModel } from '../../src/model/model.ts';
import { modelOf } from '../support/modelOf.ts';
import { runCli } from '../support/runCli.ts';

const rows = 6000;
const random = seeded(1, 'fit');
const people = Array.from({ length: rows }, (_, i) => {
  const x = 5 + 3 * normal(random);
  const z = 100 * uniform(random);
  const town = ['Ulm', 'Bath', 'Lyon'][i % 3]!;
  const score = 0.5 * (x - 5) - 0.02 * (z - 50);
  return {
    x,
    z,
    town,
    y: 2 * x - 0.1 * z + 7 + (town === 'Bath' ? 3 : 0) + studentT(random, 2),
    sick: uniform(random) < 1 / (1 + Math.exp(-score)),
  };
});

describe('sluice fit', () => {
  let folder: string;
  let csv: string;
  let ndjson: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-fit-'));
    csv = join(folder, 'people.csv');
    ndjson = join(folder, 'people.ndjson');
    writeFileSync(csv, `x,z,town,y,sick\n${people.map(p => `${p.x},${p.z},${p.town},${p.y},${p.sick}`).join('\n')}\n`);
    writeFileSync(ndjson, `${people.map(p => JSON.stringify(p)).join('\n')}\n`);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('estimates with no settings at all, under noise that has no variance', async () => {
    const out = join(folder, 'model.json');
    const run = await runCli([
      'fit',
      csv,
      '--target',
      'y',
      '--features',
      'x,z,town',
      '--categorical',
      'town=Bath',
      '--out',
      out,
    ]);
    expect(run.stderr).to.equal('');
    expect(run.code).to.equal(0);
    expect(run.stdout).to.match(/y on 3 features, mean of Huber's fit \(pseudo-huber\(/);
    const model = parseModel(readFileSync(out, 'utf8'), out);
    expect(model.coefficients['x']).to.be.closeTo(2, 0.05);
    expect(model.coefficients['z']).to.be.closeTo(-0.1, 0.005);
    expect(model.coefficients['town=Bath']).to.be.closeTo(3, 0.3);
    expect(model.intercept).to.be.closeTo(7, 0.5);
    expect(model.rows).to.include({ read: rows, leftOver: 0 });
    expect(model.ledger.private).to.equal(false);
    expect(readdirSync(folder).sort()).to.deep.equal(['model.json', 'people.csv', 'people.ndjson']);
  });

  it('gives the same model for CSV, NDJSON and a query, and the same bits twice', async () => {
    const flags = ['--target', 'y', '--features', 'x,z', '--json', '--quiet'];
    const [first, again, lines, sql] = await Promise.all([
      runCli(['fit', csv, ...flags]),
      runCli(['fit', csv, ...flags]),
      runCli(['fit', ndjson, ...flags]),
      runCli(['fit', '--sql', `SELECT * FROM '${csv}'`, ...flags]),
    ]);
    expect(first.code).to.equal(0);
    expect(again.stdout).to.equal(first.stdout);
    expect(lines.stdout).to.equal(first.stdout);
    const coefficients = (run: { stdout: string }) => JSON.parse(run.stdout).coefficients;
    expect(coefficients(sql)).to.deep.equal(coefficients(first));
  });

  it('fits a logistic model to true and false, and to two declared levels', async () => {
    const flags = ['--features', 'x,z', '--loss', 'logistic', '--json'];
    const yes = await runCli(['fit', csv, '--target', 'sick', ...flags]);
    expect(yes.code, yes.stderr).to.equal(0);
    const { coefficients } = JSON.parse(yes.stdout);
    expect(coefficients.x).to.be.closeTo(0.5, 0.08);
    expect(coefficients.z).to.be.closeTo(-0.02, 0.006);
    const levels = await runCli([
      'fit',
      csv,
      '--target',
      'town',
      '--categorical',
      'town=Ulm|Bath',
      '--nulls',
      'skip',
      ...flags,
    ]);
    expect(levels.code, levels.stderr).to.equal(0);
    const { rows: account, notes } = JSON.parse(levels.stdout);
    expect(account.invalid).to.equal(rows / 3);
    expect(notes[0]).to.match(/rows \(33\.3 %\) were skipped .*\("town" 33\.3 %\);/);
  });

  it('refuses other targets for a logistic model, with advice', async () => {
    const run = await runCli(['fit', csv, '--target', 'y', '--features', 'x', '--loss', 'logistic']);
    expect(run.code).to.equal(2);
    expect(run.stderr).to.match(
      /people\.csv, column "y", row \d+, counted from 0: \S+ is not a valid target for this loss; logistic needs targets 0 and 1/,
    );
  });

  it('names column and row of a single cell that is too large', async () => {
    const spoilt = join(folder, 'spoilt.csv');
    const lines = people.map((p, i) => `${i === 77 ? '1e300' : p.x},${p.z},${p.y}`);
    writeFileSync(spoilt, `x,z,y\n${lines.join('\n')}\n`);
    const { code, stderr } = await runCli(['fit', spoilt, '--target', 'y', '--loss', 'squared']);
    rmSync(spoilt);
    expect(code).to.equal(2);
    expect(stderr).to.include(
      `${spoilt}, column "x", row 77, counted from 0: 1e+300 is too large to square; fix it or remove its row`,
    );
  });

  it('makes features of the levels of a text column, unless features were chosen', async () => {
    const fitted = async (...flags: readonly string[]) =>
      JSON.parse((await runCli(['fit', csv, '--target', 'y', '--json', ...flags])).stdout);
    const { features, choices, coefficients, categorical } = await fitted();
    expect(features).to.deep.equal(['x', 'z', 'town=Lyon', 'town=Ulm', 'sick']);
    expect(categorical).to.deep.equal({ town: ['Lyon', 'Ulm'] });
    expect(coefficients['town=Ulm']).to.be.closeTo(-3, 0.5);
    expect(choices.join()).to.include(
      '"town" is text, so that its levels are features; its reference is "Bath", the most frequent one (2000 of 6000 rows)',
    );
    expect((await fitted('--features', 'x,z')).features).to.deep.equal(['x', 'z']);
    expect((await fitted('--categorical', 'town=Bath')).features)
      .to.include('town=Bath')
      .and.not.include('town=Ulm');
  });

  it('reads standard input as it comes where the number of rows is declared', async () => {
    const text = readFileSync(ndjson);
    const run = await runCli(
      ['fit', '-', '--target', 'y', '--features', 'x,z', '--rows', String(rows), '--json'],
      text,
    );
    expect(run.code, run.stderr).to.equal(0);
    // Few rows are kept, and have an order of their own; others come as they come.
    expect(JSON.parse(run.stdout).plan.order).to.equal('shuffle');
    const fresh = await runCli(
      ['fit', '-', '--target', 'y', '--features', 'x,z', '--rows', String(rows), '--mode', 'fresh', '--json'],
      text,
    );
    expect(fresh.code, fresh.stderr).to.equal(0);
    expect(JSON.parse(fresh.stdout).plan.order).to.equal('as-is');
  });

  it('keeps standard input whose rows are not declared, and so finds in it what it finds in a file', async () => {
    const lines = readFileSync(csv, 'utf8').trimEnd().split('\n');
    const named = lines.map((line, i) => `${line},${i === 0 ? 'city' : ['Bath', 'Lyon', 'Graz'][i % 3]}`).join('\n');
    const path = join(folder, 'towns.csv');
    writeFileSync(path, `${named}\n`);
    const flags = ['--target', 'y', '--json', '--quiet'];
    const piped = await runCli(['fit', '-', ...flags], readFileSync(path, 'utf8'));
    expect(piped.code, piped.stderr).to.equal(0);
    const filed = await runCli(['fit', path, ...flags]);
    expect(piped.stdout).to.equal(filed.stdout);
    expect(JSON.parse(piped.stdout).features.some((name: string) => name.startsWith('city='))).to.equal(true);
    const late = `${'{"x":1,"y":2}\n{"x":2,"y":3.5}\n{"x":3,"y":4}\n'.repeat(4000)}${'{"x":1,"y":3,"late":1}\n{"x":2,"y":5,"late":2}\n'.repeat(9000)}`;
    const keyed = await runCli(['fit', '-', ...flags, '--features', 'x,late', '--nulls', 'skip'], late);
    expect(keyed.code, keyed.stderr).to.equal(0);
    const theorem = await runCli(['fit', '-', '--target', 'y', '--epsilon', '1', '--delta', '1e-6'], late);
    expect(theorem.code).to.equal(2);
    expect(theorem.stderr).to.include('give --rows N');
  });

  it('reads standard input once whatever the layout: shuffled, in fresh chunks, or by moments', async () => {
    const text = `${readFileSync(csv, 'utf8').split('\n').slice(0, 1001).join('\n')}\n`;
    const part = join(folder, 'part.csv');
    writeFileSync(part, text);
    const flags = ['--target', 'y', '--features', 'x,z', '--json', '--quiet'];
    const stream = (...more: string[]) => runCli(['fit', '-', ...flags, '--rows', '1000', ...more], text);
    const asIs = ['--order', 'as-is'];
    const squared = ['--mode', 'full', '--loss', 'squared'];
    const [usual, file, few, fewOfFile, fresh, moments, inOrder, kept, refused] = await Promise.all([
      stream(),
      runCli(['fit', part, ...flags]),
      stream(...asIs),
      runCli(['fit', part, ...flags, ...asIs]),
      stream(...asIs, '--mode', 'fresh'),
      stream(...squared),
      stream(...squared, ...asIs),
      stream('--mode', 'full', ...asIs, '--holdout', '0.2'),
      stream('--mode', 'full', ...asIs, '--loss', 'squared', '--step', '0.1', '--holdout', '0.2'),
    ]);
    // So few rows are all seen by every step: the same model as that of the file.
    expect(usual.code, usual.stderr).to.equal(0);
    expect(JSON.parse(usual.stdout)).to.deep.equal(JSON.parse(file.stdout));
    expect(few.code, few.stderr).to.equal(0);
    expect(JSON.parse(few.stdout)).to.deep.equal(JSON.parse(fewOfFile.stdout));
    expect(fresh.code, fresh.stderr).to.equal(0);
    expect(JSON.parse(fresh.stdout).plan).to.include({ order: 'as-is', mode: 'fresh' });
    expect(moments.code, moments.stderr).to.equal(0);
    expect(inOrder.code, inOrder.stderr).to.equal(0);
    expect(JSON.parse(inOrder.stdout).plan).to.include({ order: 'as-is', mode: 'full' });
    expect(kept.code, kept.stderr).to.equal(0);
    expect(JSON.parse(kept.stdout).plan).to.include({ order: 'as-is', mode: 'full' });
    expect(refused.code).to.equal(2);
    expect(refused.stderr).to.include('--mode full with --order as-is reads it every step');
    rmSync(part);
  });

  it('says so where the data have more rows than declared', async () => {
    const run = (...more: string[]) => runCli(['fit', csv, '--target', 'y', '--features', 'x', ...more]);
    const [part, all] = await Promise.all([run('--rows', '5000'), run('--rows', String(rows))]);
    expect(part.code).to.equal(0);
    expect(part.stderr).to.equal(
      'sluice: the data have more than the 5000 rows that --rows declares; the rest is not read\n',
    );
    expect(all.stderr).to.equal('');
  });

  it('keeps every coefficient in a box, but not the intercept', async () => {
    const set = ['--set', 'box', '--radius', '0.5', '--mode', 'full', '--steps', '500', '--step', '0.0005'];
    const flags = ['--target', 'y', '--features', 'x,z', '--loss', 'squared', '--aggregate', 'mean'];
    const run = await runCli(['fit', csv, ...flags, ...set, '--json', '--quiet']);
    expect(run.code, run.stderr).to.equal(0);
    const { coefficients, intercept } = JSON.parse(run.stdout);
    // Without the box x has 2: the box holds it at its face and leaves z, which has -0.1, inside.
    expect(coefficients.x).to.equal(0.5);
    expect(coefficients.z).to.be.within(-0.5, 0.5).and.not.be.oneOf([-0.5, 0.5]);
    expect(intercept).to.be.above(0.5);
    const frankWolfe = await runCli([
      ...['fit', csv, ...flags, '--method', 'frank-wolfe', '--no-intercept', '--set', 'box', '--radius', '0.5'],
      ...['--steps', '50', '--mode', 'full', '--json', '--quiet'],
    ]);
    expect(frankWolfe.code, frankWolfe.stderr).to.equal(0);
    for (const value of Object.values(JSON.parse(frankWolfe.stdout).coefficients))
      expect(value).to.be.within(-0.5, 0.5);
  });

  describe('--start', () => {
    const model = (intercept: number | null) => ({
      ...modelOf([], { intercept }),
      features: ['z', 'town=Bath', 'x'],
      categorical: { town: ['Bath'] },
      coefficients: { z: 0.25, 'town=Bath': -3, x: 2 },
    });
    // One step too short to move anything.
    const still = ['--mode', 'full', '--steps', '1', '--step', '1e-300', '--method', 'gradient'];
    const design = ['--features', 'x,town,z', '--categorical', 'town=Bath'];
    const fitFrom = (start: string, ...flags: readonly string[]) =>
      runCli(['fit', csv, '--target', 'y', '--loss', 'squared', ...still, '--start', start, ...flags]);
    let start: string;
    let bare: string;
    beforeEach(() => {
      start = join(folder, 'start.json');
      bare = join(folder, 'bare.json');
      writeFileSync(start, JSON.stringify(model(7)));
      writeFileSync(bare, JSON.stringify(model(null)));
    });

    it('begins at the coefficients of a model, found by the names of their features', async () => {
      const run = await fitFrom(start, ...design, '--json');
      expect(run.code, run.stderr).to.equal(0);
      const { coefficients, intercept } = JSON.parse(run.stdout);
      expect(coefficients).to.deep.equal({ x: 2, 'town=Bath': -3, z: 0.25 });
      expect(intercept).to.equal(7);
      const alone = await fitFrom(bare, ...design, '--no-intercept', '--json');
      expect(alone.code, alone.stderr).to.equal(0);
      expect(JSON.parse(alone.stdout).coefficients).to.deep.equal(coefficients);
    });

    it('refuses a model of other features, or with an intercept where the fit has none', async () => {
      const cases = [
        [await fitFrom(start, '--features', 'x,sick'), '(missing: sick; extra: z, town=Bath)'],
        [await fitFrom(start, '--features', 'x'), '(missing: none; extra: z, town=Bath)'],
        [await fitFrom(start, ...design, '--no-intercept'), 'leave --no-intercept out'],
        [await fitFrom(bare, ...design), 'give --no-intercept'],
        [await fitFrom(csv, ...design), 'is not JSON'],
        [await fitFrom(join(folder, 'nowhere.json'), ...design), 'cannot be read'],
      ] as const;
      for (const [run, message] of cases) {
        expect(run.stderr).to.include(message);
        expect(run.code).to.equal(2);
      }
    });
  });

  it('answers what a user can mend with exit code 2, a way out, and no file', async () => {
    const out = join(folder, 'never.json');
    const cases: readonly (readonly [readonly string[], string])[] = [
      [['fit', csv, '--target', 'height'], 'has no column "height"; its columns are x, z, town, y, sick'],
      [['fit', join(folder, 'nowhere.parquet'), '--target', 'y'], 'nowhere.parquet'],
      [['fit', csv, '--target', 'town'], "--categorical 'town="],
      [['fit', csv], "required option '--target"],
      [['fit', '--target', 'y'], 'nothing to read'],
      [['fit', csv, '--target', 'y', '--loss', 'cubic'], '--loss must be one of auto, squared'],
      [['fit', csv, '--target', 'y', '--steps', '0'], '--steps must be a whole number'],
      [['fit', csv, '--target', 'y', '--failure', '2'], '--failure must be between 0 and 1, got "2"'],
      [['fit', csv, '--target', 'y', '--ridge', '-1'], '--ridge must be at least 0, got "-1"'],
      [['fit', csv, '--target', 'y', '--set', 'l2'], '--set l2 needs --radius'],
      [['fit', csv, '--target', 'y', '--radius', '1'], '--radius goes with --set l2, l1 or box'],
      [['fit', csv, '--target', 'y', '--set', 'box', '--radius', '-1'], '--radius must be above 0, got "-1"'],
      [
        ['fit', csv, '--target', 'y', '--method', 'frank-wolfe', '--set', 'l2', '--radius', '1'],
        'has no free coordinate; give --no-intercept',
      ],
      [['fit', csv, '--target', 'y', '--method', 'frank-wolfe'], 'give --set l2 --radius D'],
      [
        ['fit', csv, '--target', 'y', '--momentum', '0.3'],
        '--method auto has no momentum; give --method nesterov, or leave --momentum out',
      ],
      [
        ['fit', csv, '--target', 'y', '--aggregate', 'huber', '--blocks', '15'],
        '--blocks goes with --aggregate median-of-means, mean or auto, got huber',
      ],
      [
        [
          ...['plan', '--target', 'y', '--width', '3', '--rows', '9999', '--method', 'nesterov'],
          ...['--set', 'l1', '--radius', '1'],
        ],
        'leave --set l1 out',
      ],
      [
        [
          ...['fit', csv, '--target', 'y', '--method', 'accelerated-frank-wolfe', '--no-intercept'],
          ...['--set', 'l2', '--radius', '1'],
        ],
        'needs a constant step; give --step',
      ],
      [['fit', csv, '--target', 'y', '--colour', 'red'], "unknown option '--colour'"],
      [['fit', csv, '--target', 'y', '--features', 'x', '--steps', '3000', '--mode', 'fresh'], 'rows'],
      [['fit', csv, csv, '--target', 'y'], 'is named twice'],
      [['plan', '--target', 'y', '--width', '3'], 'give --rows N'],
      [
        ['plan', '--target', 'y', '--width', '50', '--rows', '10', '--set', 'l2', '--radius', '1'],
        "10 rows, of which 10 are the pilot's, cannot determine 51 coefficients;",
      ],
      [['plan', '--target', 'y', '--width', '3', '--rows', '9999', '--set', 'box'], '--set box needs --radius'],
    ];
    const runs = await Promise.all(cases.map(([args]) => runCli(args[0] === 'fit' ? [...args, '--out', out] : args)));
    runs.forEach((run, k) => {
      expect(run.stderr, cases[k]![0].join(' ')).to.include(cases[k]![1]);
      expect(run.code, run.stderr).to.equal(2);
      expect(run.stdout).to.equal('');
    });
    expect(existsSync(out)).to.equal(false);
  });
});

describe('sluice plan', () => {
  it('says what fit would do with so many rows', async () => {
    const run = await runCli(['plan', '--target', 'y', '--rows', '1000000', '--width', '20', '--json']);
    const { layout } = JSON.parse(run.stdout);
    expect(layout.pilotRows).to.equal(50_000);
    expect(layout.schedule.chunks.reduce((sum: number, size: number) => sum + size, 0)).to.equal(950_000);
    const text = await runCli(['plan', '--target', 'y', '--rows', '1000000', '--width', '20']);
    expect(text.stdout).to.include('step 3   723810 rows in 15 blocks of 48254');
    const boxed = await runCli([
      ...['plan', '--target', 'y', '--rows', '1000000', '--width', '20', '--set', 'box', '--radius', '2'],
    ]);
    expect(boxed.stdout).to.equal(text.stdout);
  });

  it('says of more features than rows what fit would do, and of rows that fill no block', async () => {
    const few = ['plan', '--target', 'y', '--rows', '20', '--width', '50'];
    const [text, json, odd] = await Promise.all([
      runCli(few),
      runCli([...few, '--json']),
      runCli(['plan', '--target', 'y', '--rows', '1999', '--width', '1']),
    ]);
    const note = '20 rows cannot determine 51 coefficients: fit would set at least 31 of them to 0, and interpolate';
    expect(text.code, text.stderr).to.equal(0);
    expect(text.stdout).to.include(`note: ${note}`);
    expect(JSON.parse(json.stdout).notes[0]).to.include(note);
    expect(odd.stdout).to.include('18 blocks of 111, plus 1 used outside the blocks');
  });
});
