import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runCli } from '../support/runCli.ts';

describe('what a fit records of its flags', () => {
  let folder: string;
  let csv: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-record-'));
    csv = join(folder, 'rows.csv');
    const lines = Array.from(
      { length: 400 },
      (_, i) => `${Math.sin(i)},${Math.cos(3 * i)},${Math.sin(i) + 0.1 * Math.sin(7 * i)},${1 + (i % 3)}`,
    );
    writeFileSync(csv, `x,z,y,w\n${lines.join('\n')}\n`);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('keeps set, radius, weights, ridge and the missing intercept in the model, the terminal and the report', async () => {
    const [out, report] = [join(folder, 'm.json'), join(folder, 'm.html')];
    const flags = '--target y --features x,z --loss squared --set l1 --radius 0.5 --ridge 0.25 --weights w';
    const run = await runCli(['fit', csv, ...flags.split(' '), '--no-intercept', '--out', out, '--report', report]);
    expect(run.code, run.stderr).to.equal(0);
    expect(run.stdout.split('\n')[0]).to.equal(
      'y on 2 features, squared loss, ridge 0.25, no intercept, l1 norm of coefficients at most 0.5, weighted by w',
    );
    const { plan, loss, intercept } = JSON.parse(readFileSync(out, 'utf8'));
    expect(plan).to.include({ set: 'l1', radius: 0.5, weights: 'w' });
    expect(loss.ridge).to.equal(0.25);
    expect(intercept).to.equal(null);
    const page = readFileSync(report, 'utf8');
    for (const text of ['l1 norm of coefficients at most 0.5', 'Row weights', 'ridge 0.25', 'Intercept'])
      expect(page).to.include(text);
  });

  it('keeps the radius that a private run takes by itself', async () => {
    const flags =
      '--target y --loss squared --set l2 --epsilon 8 --delta 1e-6 --bounds x:-1..1,z:-1..1,y:-2..2 --seed 1';
    const run = await runCli(['fit', csv, ...flags.split(' '), '--json', '--quiet']);
    expect(run.code, run.stderr).to.equal(0);
    expect(JSON.parse(run.stdout).plan).to.include({ set: 'l2', radius: 2 });
  });
});
