import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runCli } from '../support/runCli.ts';

const PRIVATE = '--epsilon 1 --delta 1e-6 --bounds x:-1..1,y:-2..2';
const PLAN = 'plan --target y --rows 10000';

describe('what the command line refuses', () => {
  let folder: string;
  let csv: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-refusals-'));
    csv = join(folder, 'rows.csv');
    const lines = Array.from({ length: 400 }, (_, i) =>
      [Math.sin(i), Math.sin(i) + 0.1 * Math.sin(7 * i), i === 5 ? 2 : i % 2, i === 7 ? -3 : 1, `"0,${i}"`].join(),
    );
    writeFileSync(csv, `x,y,class,w,comma\n${lines.join('\n')}\n`);
  });
  after(() => rmSync(folder, { recursive: true }));

  const refusal = async (args: string): Promise<string> => {
    const run = await runCli(args.replace('DATA', csv).split(' '));
    expect(run.code, `${args}: ${run.stdout}${run.stderr}`).to.equal(2);
    return run.stderr;
  };
  const refuses = (cases: Readonly<Record<string, string>>) => async () => {
    for (const [args, message] of Object.entries(cases)) expect(await refusal(args), args).to.include(message);
  };

  it(
    'flags that the run would not heed',
    refuses({
      [`${PLAN} ${PRIVATE} --method gradient --momentum 0.9`]: '--method gradient has no momentum',
      [`${PLAN} ${PRIVATE} --set l2 --radius 1 --momentum 0.9`]: 'leave --momentum 0.9 out',
      [`${PLAN} --width 1 --method frank-wolfe --set l2 --radius 1 --no-intercept --step 0.1`]: 'leave --step 0.1 out',
      [`${PLAN} ${PRIVATE} --method frank-wolfe --set l2 --radius 1 --no-intercept --step 0.1`]: 'leave --step 0.1 out',
      [`${PLAN} --width 1 --mode full --schedule uniform`]: '--mode full has none',
      [`${PLAN} ${PRIVATE} --mode full --schedule uniform`]: '--mode full has none',
      [`${PLAN} ${PRIVATE} --calibration exact --schedule uniform`]: '--schedule uniform',
      [`${PLAN} ${PRIVATE} --aggregate auto --blocks 5`]: '--aggregate median-of-means in a private run',
      'fit DATA --target y --features x --aggregate mean --blocks 7':
        '--blocks 7 has no effect with --aggregate mean here: all rows are in memory, so the intervals of the mean come from the rows; leave --blocks out, or give --aggregate median-of-means',
      [`${PLAN} --width 1 --aggregate mean --blocks 7 --loss squared --step 0.1`]:
        '--blocks 7 has no effect with --aggregate mean here: with a mean, blocks are used only for intervals, and without a pilot there are none',
    }),
  );

  it('but takes blocks that a mean has for its intervals, and tells of those that auto does not use', async () => {
    const used = await runCli('plan --target y --width 2 --rows 2000000 --aggregate mean --blocks 7'.split(' '));
    expect(used).to.include({ code: 0, stderr: '' });
    expect(used.stdout).to.include('in 7 blocks');
    const idle = await runCli(`${PLAN} --width 1 --blocks 7`.split(' '));
    expect(idle.code).to.equal(0);
    expect(idle.stderr).to.include('--blocks 7 has no effect with --aggregate auto here');
  });

  it(
    'a plan without a width, with two, or with data',
    refuses({
      [PLAN]: 'give --width P, the number of features, or --features a,b,c',
      [`${PLAN} --width 2 --features a,b,c`]: '--width must be 3, the number of features that --features names, got 2',
      [`${PLAN} --width 2 --sql SELECT`]: 'so it cannot use --sql',
      [`${PLAN} --width 2 --engine duckdb`]: 'so it cannot use --engine',
      [`${PLAN} --width 2 --table trips`]: 'so it cannot use --table',
      [`${PLAN} --width 2 --path trips.duckdb`]: 'so it cannot use --path',
      [`${PLAN} --width 2 --id trip`]: 'so it cannot use --id',
      'audit --target y --rows 100 --engine sc://here:15002': 'audit reads no data, so it cannot use --engine',
    }),
  );

  it(
    'more blocks than rows fill, by the flags that ask for them',
    refuses({
      'fit DATA --target y --features x --blocks 100000000': '--blocks must be at most 200',
      'fit DATA --target y --features x --mode fresh --steps 9 --failure 1e-9': '--failure 1e-9 asks for',
      [`${PLAN} --width 1 --blocks 300000`]: '--blocks must be at most 5000',
      [`${PLAN} ${PRIVATE} --aggregate median-of-means --blocks 100000000`]: '--blocks must be at most 5000',
    }),
  );

  it(
    'values by flag, value and way out',
    refuses({
      [`${PLAN} --width 1 --loss hubber`]:
        '--loss must be one of auto, squared, logistic, poisson, pseudo-huber, geman-mcclure, tukey, got "hubber"',
      [`${PLAN} --width 1 --loss pseudo-huber:-1`]: '--loss pseudo-huber:q must be above 0, got "-1"',
      [`${PLAN} ${PRIVATE} --loss toString`]: '--loss must be one of auto',
      'fit DATA --target class --features x --loss logistic':
        "row 5, counted from 0: 2 is not a valid target for this loss; logistic needs targets 0 and 1, true and false, or a text column with two declared levels: --categorical 'class=no|yes'",
      'fit DATA --target w --features x --loss poisson': 'row 7, counted from 0: -3 is not a valid target',
      'fit DATA --target y --features x --weights w':
        'row 7, counted from 0: -3 is not a valid weight; weights must be at least 0',
      'fit DATA --target y --features x,comma': 'numbers need a decimal point',
      'plan --target y --rows 10000 --epsilon 1 --delta 1e-6': "--bounds 'x1:-1..1,y:0..10'",
      [`${PLAN} ${PRIVATE} --calibration paper`]: '--epsilon must be at most 0.9 for --calibration paper, got 1',
      [`${PLAN} ${PRIVATE} --steps 5 --tail 9`]: '--tail must be at most 5, the number of --steps, got 9',
      [`fit DATA --target y --features x --out ${join(tmpdir(), 'm.parquet')}`]:
        '--out must not have the extension of a table',
    }),
  );

  it('an epsilon that rounding leaves nothing of, without naming what has no flag', async () => {
    const message = await refusal(`${PLAN} --epsilon 1e-5 --delta 1e-9 --bounds x:-1..1,y:-2..2`);
    expect(message)
      .to.include('epsilon')
      .and.not.match(/or scale|larger scale/);
  });

  it('a file with nothing but a header, and says what one needs', async () => {
    const empty = join(folder, 'empty.csv');
    writeFileSync(empty, 'x,y\n');
    expect(await refusal(`fit ${empty} --target y`)).to.include('has no rows; give at least one row');
  });

  it("a feature of the intercept's name, before anything is written", async () => {
    const path = join(folder, 'intercept.csv');
    const lines = Array.from({ length: 300 }, (_, i) => `${Math.sin(3 * i)},${Math.sin(i)}`);
    writeFileSync(path, `y,(intercept)\n${lines.join('\n')}\n`);
    const out = join(folder, 'never.json');
    const bounds = '--epsilon 1 --delta 1e-6 --bounds (intercept):-1..1,y:-1..1';
    for (const flags of ['', bounds])
      expect(await refusal(`fit ${path} --target y --out ${out} ${flags}`.trim())).to.include(
        "has the intercept's name",
      );
    expect(existsSync(out)).to.equal(false);
  });

  it('columns without a single value, by name', async () => {
    const query = 'SELECT i AS y, i % 7 AS x, NULL::DOUBLE AS z, NULL::DOUBLE AS u FROM range(500) AS t(i)';
    const run = (...flags: string[]) => runCli(['fit', '--sql', query, '--target', 'y', ...flags]);
    expect((await run('--nulls', 'error')).stderr).to.equal(
      'sluice: the query, column "z": has no value in any of the 500 rows read so far, nor has "u"; leave them out: --features x\n',
    );
    expect((await run('--features', 'x,z,u')).stderr).to.equal(
      'sluice: "z" and "u" have no usable value in any of the 500 rows read, so no row is usable; leave them out: --features x\n',
    );
  });

  it('a run beyond the whole budget, and leaves no ledger; a budget that is raised, by its flag', async () => {
    const ledger = join(folder, 'ledger');
    const flags = `fit DATA --target y --epsilon 8 --delta 1e-6 --bounds x:-1..1,y:-2..2 --seed 1 --quiet --ledger ${ledger} --dataset d`;
    const tooMuch = flags.replace('--seed 1 ', '');
    expect(await refusal(`${tooMuch} --budget 0.5`))
      .to.include('more than the whole budget of epsilon 0.5 at delta 0.000001')
      .and.include('ask for at most epsilon 0.5');
    expect(existsSync(ledger)).to.equal(false);
    const run = await runCli(`${flags} --budget 8`.replace('DATA', csv).split(' '));
    expect(run.code, run.stderr).to.equal(0);
    const before = readFileSync(ledger, 'utf8');
    const message = await refusal(`${flags} --budget 9`);
    expect(message).to.include('--budget must be at most').and.include('got epsilon 9 at delta 0.000001');
    expect(message).not.to.include('{');
    expect(readFileSync(ledger, 'utf8')).to.equal(before);
  });

  it(
    'numbers and names by the flag that has them',
    refuses({
      'fit DATA --target y --threads 1000': '--threads must be at most 64, got 1000',
      'predict model.json DATA --out p.txt': '--out must end in one of .arrow,',
      [`${PLAN} --width 1 --theorem foo`]: '--theorem must be one of',
    }),
  );

  it('a column that most rows lack, with a way out that leaves rows', async () => {
    const lines = Array.from({ length: 51 }, (_, i) =>
      JSON.stringify({ x: Math.sin(i), y: i % 7, ...(i === 3 && { z: 1 }) }),
    );
    const sparse = join(folder, 'sparse.ndjson');
    writeFileSync(sparse, `${lines.join('\n')}\n`);
    expect(await refusal(`fit ${sparse} --target y --nulls error`)).to.include(
      'leave it out: --features x; --nulls skip would skip most rows',
    );
  });

  it('data without anything to explain the target by, naming nothing that is not there', async () => {
    const alone = join(folder, 'alone.csv');
    writeFileSync(alone, 'y\n1\n2\n3\n');
    expect(await refusal(`fit ${alone} --target y`)).to.include('use data with at least one other numeric column');
    const texts = join(folder, 'texts.csv');
    writeFileSync(texts, 'town,y\nUlm,1\nBath,2\nUlm,3\n');
    expect(await refusal(`fit ${texts} --target y`)).to.include("--categorical 'town=A|B'");
  });
});

describe('what the command line takes', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-takes-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('columns that are called as members of every object', async () => {
    const csv = join(folder, 'odd.csv');
    const lines = Array.from({ length: 400 }, (_, i) => `${Math.sin(i)},1,${Math.sin(i) + 0.1 * Math.cos(i)}`);
    writeFileSync(csv, `toString,valueOf,constructor\n${lines.join('\n')}\n`);
    const plain = await runCli(['fit', csv, '--target', 'constructor']);
    expect(plain.code, plain.stderr).to.equal(0);
    expect(plain.stdout).to.match(/valueOf +0 +left out/);
    const bounds = 'toString:-1..1,constructor:-2..2';
    const flags = `--target constructor --epsilon 8 --delta 1e-6 --seed 1 --rows 300 --bounds ${bounds}`;
    const run = await runCli(['fit', csv, ...flags.split(' ')]);
    expect(run.code, run.stderr).to.equal(0);
    expect(run.stdout).to.include('constructor on 1 feature');
    expect(run.stderr).to.include('the data have more than the 300 rows that --rows declares; the rest is not read');
    const missing = await runCli(['fit', csv, ...flags.replace(',constructor:-2..2', '').split(' ')]);
    expect(missing.stderr).to.include('--bounds must include the target "constructor"');
  });

  it('a plan with rows held out as fit has it, a width by names, and the step', async () => {
    const plan = async (flags: string) =>
      (await runCli(`plan --target y --rows 20000 --features a,b ${flags}`.split(' '))).stdout;
    const { layout, heldOut, stepSize, features } = JSON.parse(await plan('--holdout 0.5 --json'));
    const half = JSON.parse((await runCli('plan --target y --rows 10000 --width 2 --json'.split(' '))).stdout);
    expect(layout).to.deep.equal(half.layout);
    expect({ heldOut, stepSize, features }).to.deep.equal({
      heldOut: 10_000,
      stepSize: 'from the pilot',
      features: 2,
    });
    expect(await plan('--quiet')).to.include('step size from the pilot');
    expect(await plan('--loss squared --step 0.25')).to.include('step size 0.25');
  });

  it('--json and --quiet everywhere', async () => {
    const csv = join(folder, 'few.csv');
    const lines = Array.from({ length: 200 }, (_, i) => `${i === 3 ? '' : Math.sin(i)},${Math.cos(i)}`);
    writeFileSync(csv, `x,y\n${lines.join('\n')}\n`);
    const [model, out] = [join(folder, 'm.json'), join(folder, 'p.csv')];
    const fit = await runCli(`fit ${csv} --target y --nulls skip --holdout 0.2 --out ${model} --quiet`.split(' '));
    expect(fit.code, fit.stderr).to.equal(0);
    expect(fit.stdout)
      .to.include('1 row is invalid and contributes nothing, so that 199 of 200 rows are usable')
      .and.match(/held out: mean loss .*; root mean square error .*; absolute error, median /);
    const predict = `predict ${model} ${csv} --nulls skip --out ${out} --quiet`;
    expect(JSON.parse((await runCli(`${predict} --json`.split(' '))).stdout)).to.deep.equal({
      target: 'y',
      file: out,
      rows: 200,
      predictions: 199,
      invalid: 1,
    });
    expect((await runCli(predict.split(' '))).stdout).to.include('; 1 invalid row has none (null)');
    for (const command of [`evaluate ${model} ${csv} --nulls skip`, `inspect ${csv}`]) {
      const run = await runCli(`${command} --json --quiet`.split(' '));
      expect(run.code, run.stderr).to.equal(0);
    }
    expect((await runCli(['help', 'ledger'])).stdout).to.include('--quiet');
    expect((await runCli(['help', 'inspect'])).stdout).to.include('standard input');
  });
});
