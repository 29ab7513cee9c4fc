import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { normal } from '../../src/random/normal.ts';
import { seeded } from '../../src/random/seeded.ts';
import { gather } from '../../src/sample/gather.ts';
import { openSamples } from '../../src/source/openSamples.ts';
import { runCli } from '../support/runCli.ts';

const rows = 3000;
const random = seeded(1, 'model');
const people = Array.from({ length: rows }, (_, i) => {
  const [x, town] = [normal(random), ['Ulm', 'Bath'][i % 2]!];
  return { x, town, y: 2 * x + (town === 'Bath' ? 3 : 0) + 1 + normal(random) / 10 };
});

describe('sluice predict, evaluate and inspect', () => {
  let folder: string;
  let csv: string;
  let model: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-model-'));
    csv = join(folder, 'people.csv');
    model = join(folder, 'model.json');
    writeFileSync(csv, `x,town,y\n${people.map(p => `${p.x},${p.town},${p.y}`).join('\n')}\n`);
    const run = await runCli([
      'fit',
      csv,
      '--target',
      'y',
      '--features',
      'x,town',
      '--categorical',
      'town=Bath',
      '--out',
      model,
    ]);
    expect(run.code, run.stderr).to.equal(0);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('write a prediction per row in every format, the same numbers in each', async () => {
    const { coefficients, intercept } = JSON.parse(readFileSync(model, 'utf8'));
    const expected = people.map(
      p => coefficients.x * p.x + (p.town === 'Bath' ? coefficients['town=Bath'] : 0) + intercept,
    );
    for (const extension of ['arrow', 'parquet', 'csv', 'ndjson']) {
      const out = join(folder, `predictions.${extension}`);
      const run = await runCli(['predict', model, csv, '--out', out]);
      expect(run.code, run.stderr).to.equal(0);
      expect(run.stdout).to.include(`3000 predictions of y in ${out}`);
      const samples = await openSamples(out, { features: ['prediction'] });
      const { columns } = await gather(samples.batches(), samples.rows, 1);
      await samples.close();
      columns[0]!.forEach((value, i) => {
        expect(value).to.be.closeTo(expected[i]!, 1e-12);
      });
    }
  });

  it('need no target to predict, and refuse data without the features, or other formats', async () => {
    const bare = join(folder, 'bare.csv');
    writeFileSync(bare, 'town,x\nBath,1\nUlm,2\n');
    const out = join(folder, 'bare.ndjson');
    expect((await runCli(['predict', model, bare, '--out', out])).code).to.equal(0);
    expect(readFileSync(out, 'utf8').trim().split('\n')).to.have.length(2);
    const lost = join(folder, 'lost.csv');
    writeFileSync(lost, 'town\nBath\n');
    const never = join(folder, 'never.csv');
    const missing = await runCli(['predict', model, lost, '--out', never]);
    expect(missing.code).to.equal(2);
    expect(missing.stderr).to.include('has no column "x"');
    expect((await runCli(['predict', model, bare, '--out', join(folder, 'x.xlsx')])).code).to.equal(2);
    expect((await runCli(['predict', csv, bare, '--out', never])).stderr).to.include('is not JSON');
    expect(existsSync(never)).to.equal(false);
  });

  it('measure the model', async () => {
    const run = await runCli(['evaluate', model, csv, '--json']);
    expect(run.code, run.stderr).to.equal(0);
    const { rows: counted, errors } = JSON.parse(run.stdout);
    expect(counted).to.equal(rows);
    expect(errors.r2).to.be.within(0.99, 1);
    expect(errors.rootMeanSquare).to.be.closeTo(0.1, 0.02);
    expect((await runCli(['evaluate', model, csv])).stdout).to.include('R2');
  });

  it('show what a file holds, and warn against copying ranges into private bounds', async () => {
    const run = await runCli(['inspect', csv]);
    expect(run.code, run.stderr).to.equal(0);
    expect(run.stdout).to.include('people.csv: csv, 3000 rows');
    expect(run.stdout).to.include('--bounds');
    const [json] = JSON.parse((await runCli(['inspect', csv, '--json'])).stdout);
    expect(json.columns.map((column: { name: string }) => column.name)).to.deep.equal(['x', 'town', 'y']);
  });

  it('leave no half-written file when they are interrupted', async () => {
    const big = join(folder, 'big.csv');
    writeFileSync(big, `x,town\n${Array.from({ length: 400_000 }, (_, i) => `${i},Bath`).join('\n')}\n`);
    const out = join(folder, 'interrupted.csv');
    const before = readdirSync(folder).length;
    const child = spawn(process.execPath, [
      '--import=tsx',
      'src/cli/main.ts',
      'predict',
      model,
      big,
      '--out',
      out,
    ]);
    const ended = new Promise(done => child.on('close', done));
    // As soon as the temporary neighbour appears, the process is told to stop.
    for (let k = 0; k < 2000 && readdirSync(folder).length === before && child.exitCode === null; k++) {
      await new Promise(done => setTimeout(done, 5));
    }
    child.kill('SIGINT');
    expect(await ended).to.be.oneOf([130, 0]);
    expect(readdirSync(folder).filter(name => name.endsWith('.part'))).to.deep.equal([]);
  });
});
