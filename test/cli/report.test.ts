import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { expect } from 'chai';
import { Command } from 'commander';
import { fitCommand } from '../../src/cli/commands/fitCommand.ts';
import { predictCommand } from '../../src/cli/commands/predictCommand.ts';
import { addFitFlags, type FitFlags } from '../../src/cli/flags/fitFlags.ts';
import { ArgumentError } from '../../src/errors.ts';
import { normal } from '../../src/math/random/normal.ts';
import { uniform } from '../../src/math/random/random.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { type Model, parseModel } from '../../src/model/model.ts';
import { htmlReport } from '../../src/sink/page/htmlReport.ts';
import { runCli } from '../support/runCli.ts';

const random = seeded('report', 'cli');
/** A feature that bears the name of a column of the trace, and y = 2 x - 0.1 step + 7 with some noise. */
const cells = Array.from({ length: 4000 }, () => {
  const [x, step] = [10 * uniform(random), 100 * uniform(random)];
  return [x, step, 2 * x - 0.1 * step + 7 + normal(random)];
});
const TABLE = `x,step,y\n${cells.map(row => row.join()).join('\n')}\n`;

describe('sluice fit --report --trace', () => {
  let folder: string;
  let csv: string;
  const at = (name: string): string => join(folder, name);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-report-'));
    csv = at('rows.csv');
    writeFileSync(csv, TABLE);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const results = () => ['--out', at('model.json'), '--report', at('report.html'), '--trace', at('trace.arrow')];
  const fitted = async (...flags: readonly string[]): Promise<Model> => {
    const run = await runCli(['fit', csv, '--target', 'y', '--quiet', ...results(), ...flags]);
    expect(run.code, run.stderr).to.equal(0);
    return parseModel(readFileSync(at('model.json'), 'utf8'), 'model.json');
  };
  const traced = (): Record<string, number[]> => {
    const table = tableFromIPC(readFileSync(at('trace.arrow')));
    return Object.fromEntries(
      table.schema.fields.map(({ name }, j) => [name, [...(table.getChildAt(j)!.toArray() as Float64Array)]]),
    );
  };

  /** A target that no file has: whoever opened one would say so. */
  const parsed = (...flags: readonly string[]): FitFlags =>
    addFitFlags(new Command().option('--target <column>'))
      .option('--out <file>')
      .option('--report <file>')
      .option('--trace <file>')
      .parse(['--target', 'nobody', ...flags], { from: 'user' })
      .opts();

  /**
   * The page is a function of the model and of where its rows are, and the trace tells of the model's own steps and
   * ends at its coefficients.
   */
  const expectResults = async (model: Model): Promise<void> => {
    expect(readFileSync(at('report.html'), 'utf8')).to.equal(await htmlReport({ ...model, data: { files: [csv] } }));
    const trace = traced();
    const { step, rows, gradientNorm, sigma, ...coefficients } = trace;
    expect(step).to.deep.equal(model.steps.map(each => each.step));
    expect(rows).to.deep.equal(model.steps.map(each => each.rows));
    expect(gradientNorm).to.deep.equal(model.steps.map(each => each.gradientNorm));
    expect(sigma).to.deep.equal(model.steps.map(each => each.sigma ?? 0));
    const last = Object.fromEntries(Object.entries(coefficients).map(([name, values]) => [name, values.at(-1)]));
    expect(last).to.deep.equal({
      ...(model.coefficients['x'] !== undefined && { x: model.coefficients['x'] }),
      'coefficient of step': model.coefficients['step'],
      ...(model.intercept !== null && { '(intercept)': model.intercept }),
    });
  };

  it('says on the page where the rows came from, which the model does not depend on', async () => {
    const { data } = await fitted();
    expect(data).to.equal(undefined);
    expect(readFileSync(at('report.html'), 'utf8')).to.match(/<dt>From<\/dt>\s*<dd>[^<]*rows\.csv<\/dd>/);
    const sql = `SELECT x, y FROM '${csv}'`;
    const page = at('query.html');
    const run = await runCli(['fit', '--sql', sql, '--target', 'y', '--quiet', '--report', page]);
    expect(run.code, run.stderr).to.equal(0);
    expect(readFileSync(page, 'utf8')).to.include('From the query').and.to.include('SELECT x, y FROM');
  });

  it('writes the page and the iterates of a run that is not private', async () => {
    const model = await fitted();
    await expectResults(model);
    expect(traced()['sigma']!.every(sigma => sigma === 0)).to.equal(true);
    expect(readFileSync(at('report.html'), 'utf8')).to.include('<strong>Not private.</strong>');
    expect(readdirSync(folder).sort()).to.deep.equal(['model.json', 'report.html', 'rows.csv', 'trace.arrow']);
  });

  it('writes those of a private run, from released values alone and in the units of the data', async () => {
    const model = await fitted(...['--epsilon', '1', '--delta', '1e-6', '--bounds', 'x:0..10,step:0..100,y:-10..40']);
    await expectResults(model);
    const { x, sigma } = traced();
    expect(x!.at(-1)).to.be.closeTo(2, 1);
    expect(sigma!.every(value => value > 0)).to.equal(true);
    const page = readFileSync(at('report.html'), 'utf8');
    expect(page).to.include('Protected unit').and.include('not shown: their number is private');
  });

  it('marks the trace of a seeded run as not private, in every format', async () => {
    const bounds = ['--bounds', 'x:0..10,step:0..100,y:-10..40'];
    const flags = ['--epsilon', '1', '--delta', '1e-6', ...bounds, '--quiet', '--json'];
    const traceOf = async (name: string, ...seed: readonly string[]): Promise<Buffer> => {
      const run = await runCli(['fit', csv, '--target', 'y', ...flags, ...seed, '--trace', at(name)]);
      expect(run.code, run.stderr).to.equal(0);
      const bytes = readFileSync(at(name));
      rmSync(at(name));
      return bytes;
    };
    const seeded = ['--seed', '1'];
    const note = 'NOT PRIVATE (seeded)';
    const arrow = tableFromIPC(await traceOf('seeded.arrow', ...seeded));
    expect([...arrow.schema.metadata]).to.deep.equal([['sluice.note', note]]);
    expect((await traceOf('seeded.parquet', ...seeded)).toString('latin1')).to.include(note);
    const lines = (await traceOf('seeded.csv', ...seeded)).toString().trimEnd().split('\n');
    expect(lines[0]).to.match(/,\(intercept\),NOT PRIVATE \(seeded\)$/);
    expect(lines.slice(1).every(line => line.endsWith(',1'))).to.equal(true);
    expect((await traceOf('seeded.ndjson', ...seeded)).toString()).to.match(/^\{.*,"NOT PRIVATE \(seeded\)":1\}\n/);
    expect(tableFromIPC(await traceOf('drawn.arrow')).schema.metadata.size).to.equal(0);
    expect((await traceOf('drawn.csv')).toString()).to.not.include('PRIVATE');
  });

  it("writes those of a theorem's run, with its conditions", async () => {
    const model = await fitted(
      ...['--theorem', 'HT_NonAccFW', '--no-intercept', '--radius', '3', '--given', 'truthNorm=3'],
    );
    await expectResults(model);
    const page = readFileSync(at('report.html'), 'utf8');
    expect(page).to.include('<h3>Theorem HT_NonAccFW</h3>');
    expect(page.match(/✓ met|✗ not met/g)).to.have.length(model.plan.theorem!.conditions.length);
  });

  it('writes the trace in the format that its name says', async () => {
    const run = await runCli(['fit', csv, '--target', 'y', '--json', '--trace', at('trace.csv')]);
    expect(run.code, run.stderr).to.equal(0);
    const { steps, intercept } = JSON.parse(run.stdout);
    const lines = readFileSync(at('trace.csv'), 'utf8').trimEnd().split('\n');
    expect(lines[0]).to.equal('step,rows,gradientNorm,sigma,x,coefficient of step,(intercept)');
    expect(lines).to.have.length(steps.length + 1);
    expect(lines.at(-1)!.endsWith(`,${intercept}`)).to.equal(true);
  });

  it('refuses, before anything is read, places where a result cannot or should not be', async () => {
    mkdirSync(at('page.html'));
    symlinkSync(csv, at('alias.csv'));
    symlinkSync(at('none/b.json'), at('nowhere.json'));
    const cases: readonly (readonly [readonly string[], string])[] = [
      [
        ['--report', at('none/a.html')],
        `--report must be in a folder that exists, got "${at('none/a.html')}"; create ${at('none')}, or name another`,
      ],
      [['--trace', at('none/a.csv')], `--trace must be in a folder that exists`],
      [['--out', at('none/a.json')], `--out must be in a folder that exists`],
      [
        ['--out', at('nowhere.json')],
        `--out must be in a folder that exists, got "${at('nowhere.json')}"; create ${at('none')}, or name another`,
      ],
      [
        ['--report', at('page.html')],
        `--report must be a file, got the folder "${at('page.html')}"; name a file in it`,
      ],
      [['--report', at('a.pdf')], `--report must end in .html, got "${at('a.pdf')}"`],
      [['--trace', at('a.txt')], '--trace must end in one of .arrow, .feather, .parquet, .csv, .ndjson, got'],
      [['--trace', csv], `--trace must name a separate file, got "${csv}", which holds the data; name another`],
      [['--trace', at('alias.csv')], `got "${at('alias.csv')}", which holds the data`],
      [['--out', at('./rows.csv')], '--out must not have the extension of a table'],
      [
        ['--out', at('a.html'), '--report', at('a.html')],
        `got "${at('a.html')}", which is that of --out; name another`,
      ],
      [['--report', at('a.html'), '--out', at('./a.html')], 'which is that of --out; name another'],
      [['--ledger', at('l.csv'), '--trace', at('l.csv')], 'which is that of --ledger; name another'],
    ];
    for (const [flags, message] of cases) {
      const refused = await fitCommand([at('r*.csv')], parsed(...flags)).catch((error: Error) => error);
      expect(refused).to.be.instanceOf(ArgumentError);
      expect((refused as Error).message).to.include(message);
    }
    const queried = await fitCommand(
      [],
      parsed('--sql', `SELECT y, x FROM '${csv}'`, '--trace', at('alias.csv')),
    ).catch((error: Error) => error);
    expect(queried).to.be.instanceOf(ArgumentError);
    expect((queried as Error).message).to.include(`got "${at('alias.csv')}", which holds the data`);
    const run = await runCli(['fit', csv, '--target', 'nobody', ...cases[0]![0]]);
    expect(run).to.deep.equal({ code: 2, stdout: '', stderr: `sluice: ${cases[0]![1]}\n` });
    expect(readFileSync(csv, 'utf8')).to.equal(TABLE);
    expect(readdirSync(folder).sort()).to.deep.equal(['alias.csv', 'nowhere.json', 'page.html', 'rows.csv']);
  });
});

describe('sluice predict --out', () => {
  it('refuses the file that it reads, and the model', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-predict-'));
    try {
      const [csv, model] = [join(folder, 'rows.csv'), join(folder, 'model.csv')];
      writeFileSync(csv, TABLE);
      writeFileSync(model, '{}');
      const data = await runCli(['predict', model, csv, '--out', csv]);
      expect(data).to.include({ code: 2, stdout: '' });
      expect(data.stderr).to.include(`--out must name a separate file, got "${csv}", which holds the data`);
      const itself = await predictCommand(model, [csv], { out: model, nulls: 'error' }).catch((error: Error) => error);
      expect(String(itself)).to.include('which is that of MODEL; name another');
      expect(readFileSync(csv, 'utf8')).to.equal(TABLE);
      expect(existsSync(model)).to.equal(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
