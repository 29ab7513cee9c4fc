import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseModel } from '../../src/model/model.ts';
import { normal } from '../../src/random/normal.ts';
import { uniform } from '../../src/random/random.ts';
import { seeded } from '../../src/random/seeded.ts';
import { studentT } from '../../src/random/studentT.ts';
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
    writeFileSync(
      csv,
      `x,z,town,y,sick\n${people.map(p => `${p.x},${p.z},${p.town},${p.y},${p.sick}`).join('\n')}\n`,
    );
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
    expect(run.stdout).to.include('y on 3 features, pseudo-huber');
    const model = parseModel(readFileSync(out, 'utf8'), out);
    expect(model.coefficients['x']).to.be.closeTo(2, 0.05);
    expect(model.coefficients['z']).to.be.closeTo(-0.1, 0.005);
    expect(model.coefficients['town=Bath']).to.be.closeTo(3, 0.3);
    expect(model.intercept).to.be.closeTo(7, 0.5);
    expect(model.rows.used + model.rows.leftOver).to.equal(rows);
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
    expect(JSON.parse(levels.stdout).rows.invalid).to.equal(rows / 3);
  });

  it('refuses other targets for a logistic model, with advice', async () => {
    const run = await runCli(['fit', csv, '--target', 'y', '--features', 'x', '--loss', 'logistic']);
    expect(run.code).to.equal(2);
    expect(run.stderr).to.match(
      /people\.csv, column "y", row \d+: is no target for this loss; logistic needs targets 0 and 1/,
    );
  });

  it('reads standard input in order, once the number of rows is declared', async () => {
    const text = readFileSync(ndjson);
    const run = await runCli(
      ['fit', '-', '--target', 'y', '--features', 'x,z', '--rows', String(rows), '--json'],
      text,
    );
    expect(run.code, run.stderr).to.equal(0);
    expect(JSON.parse(run.stdout).plan.order).to.equal('as-is');
    const unknown = await runCli(['fit', '-', '--target', 'y'], text);
    expect(unknown.code).to.equal(2);
    expect(unknown.stderr).to.include('give --rows N');
  });

  it('answers what a user can mend with exit code 2, a way out, and no file', async () => {
    const out = join(folder, 'never.json');
    const cases: readonly (readonly [readonly string[], string])[] = [
      [['fit', csv, '--target', 'height'], 'has no column "height"; its columns are x, z, town, y, sick'],
      [['fit', join(folder, 'nowhere.parquet'), '--target', 'y'], 'nowhere.parquet'],
      [['fit', csv, '--target', 'y', '--features', 'town'], '--categorical town='],
      [['fit', csv], "required option '--target"],
      [['fit', '--target', 'y'], 'nothing to read'],
      [['fit', csv, '--target', 'y', '--loss', 'cubic'], 'loss must be one of squared'],
      [['fit', csv, '--target', 'y', '--steps', '0'], '--steps must be a whole number'],
      [['fit', csv, '--target', 'y', '--set', 'l2'], '--set l2 needs --radius'],
      [
        ['fit', csv, '--target', 'y', '--method', 'frank-wolfe', '--set', 'l2', '--radius', '1'],
        '--no-intercept',
      ],
      [['fit', csv, '--target', 'y', '--colour', 'red'], "unknown option '--colour'"],
      [['fit', csv, '--target', 'y', '--features', 'x', '--steps', '3000', '--mode', 'fresh'], 'rows'],
      [['fit', csv, csv, '--target', 'y'], 'is named twice'],
      [['plan', '--target', 'y', '--width', '3'], 'give --rows N'],
    ];
    const runs = await Promise.all(
      cases.map(([args]) => runCli(args[0] === 'fit' ? [...args, '--out', out] : args)),
    );
    runs.forEach((run, k) => {
      expect(run.stderr, cases[k]![0].join(' ')).to.include(cases[k]![1]);
      expect(run.code, run.stderr).to.equal(2);
      expect(run.stdout).to.equal('');
    });
    expect(existsSync(out)).to.equal(false);
  }).timeout(120_000);
});

describe('sluice plan', () => {
  it('says what fit would do with so many rows', async () => {
    const run = await runCli(['plan', '--target', 'y', '--rows', '1000000', '--width', '20', '--json']);
    const { layout } = JSON.parse(run.stdout);
    expect(layout.pilotRows).to.equal(50_000);
    expect(layout.schedule.chunks.reduce((sum: number, size: number) => sum + size, 0)).to.equal(950_000);
    const text = await runCli(['plan', '--target', 'y', '--rows', '1000000', '--width', '20']);
    expect(text.stdout).to.include('step 3   723810 rows in 15 blocks of 48254');
  });
});
