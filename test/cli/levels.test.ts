import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { normal } from '../../src/math/random/normal.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import type { Model } from '../../src/model/model.ts';
import { runCli } from '../support/runCli.ts';

describe('levels that nobody declared', () => {
  let folder: string;
  const file = (name: string, levels: readonly string[], first = levels[0]!): string => {
    const random = seeded('levels', 'rows');
    const path = join(folder, name);
    const rows = Array.from({ length: 1200 }, (_, i) => {
      const level = i === 0 ? first : levels[i % levels.length]!;
      return `${level},${normal(random)},${(i % levels.length) + normal(random)}`;
    });
    writeFileSync(path, `g,x,y\n${rows.join('\n')}\n`);
    return path;
  };
  const fitted = async (path: string, flag: string, ...more: string[]) => {
    const out = join(folder, 'model.json');
    const run = await runCli(['fit', path, '--target', 'y', '--categorical', flag, '--out', out, '--quiet', ...more]);
    expect(run.code, run.stderr).to.equal(0);
    return { ...run, out, model: JSON.parse(readFileSync(out, 'utf8')) as Model };
  };
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-levels-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('are named by a fit where declared ones are misspelt', async () => {
    const { stdout, model } = await fitted(file('case.csv', ['Red', 'Green', 'blue']), 'g=red|green|blue');
    expect(stdout).to.include(
      'note: no row has the declared level "red" or "green" of "g", which has "Red" and "Green"; check the spelling',
    );
    expect(stdout).to.include(
      'note: undeclared levels together are the reference of "g" ("Red" and "Green": 800 of 1200 rows)',
    );
    expect(model.reference).to.deep.equal({ g: ['Red', 'Green'] });
  });

  it('are told of where they are too few to be a reference, and are a choice where they are many', async () => {
    const few = await fitted(file('few.csv', ['north', 'south', 'west'], 'n/a'), 'g=north|south|west');
    expect(few.model.notes!.join('\n')).to.include('the reference of "g" ("n/a": 1 of 1200 rows) has too few rows');
    expect(few.model.notes!.join('\n')).to.include('leave the most frequent level ("south") undeclared');
    const many = await fitted(file('many.csv', ['north', 'south', 'west']), 'g=north|south');
    expect(many.model.choices).to.include(
      'the reference of "g" is "west", the level that was not declared (400 of 1200 rows)',
    );
    expect(many.model.notes).to.deep.equal([]);
  });

  it('are warned of by predict and evaluate only where the fit has not seen them', async () => {
    const old = file('old.csv', ['north', 'south', 'west']);
    const { out } = await fitted(old, 'g=north|south');
    const fresh = file('new.csv', ['north', 'south', 'west'], 'Rome');
    const predictions = join(folder, 'p.csv');
    const line =
      'sluice: 1 of 1200 rows has a level of "g" that the fit did not see ("Rome"), and is taken for its reference\n';
    expect((await runCli(['predict', out, old, '--out', predictions, '--quiet'])).stderr).to.equal('');
    expect((await runCli(['predict', out, fresh, '--out', predictions, '--quiet'])).stderr).to.equal(line);
    const { stderr, stdout } = await runCli(['evaluate', out, fresh, '--json']);
    expect(stderr).to.equal(line);
    expect(JSON.parse(stdout).unknownLevels).to.deep.equal([{ column: 'g', rows: 1, levels: ['Rome'] }]);
  });

  it('are pooled where they are rare and were found, and unknown ones count as rare', async () => {
    const rare = Array.from({ length: 8 }, (_, k) => `rare ${k}`);
    const path = join(folder, 'pooled.csv');
    const random = seeded('levels', 'pooled');
    const rows = Array.from({ length: 300 }, (_, i) => {
      const level = i % 6 === 0 ? rare[(i / 6) % 8]! : ['north', 'south', 'north'][i % 3]!;
      return `${level},${(level.startsWith('rare') ? 10 : level === 'south' ? 5 : 0) + normal(random)}`;
    });
    writeFileSync(path, `g,y\n${rows.join('\n')}\n`);
    const out = join(folder, 'pooled.json');
    const run = await runCli(['fit', path, '--target', 'y', '--out', out, '--quiet']);
    expect(run.code, run.stderr).to.equal(0);
    const model: Model = JSON.parse(readFileSync(out, 'utf8'));
    expect(model.features).to.deep.equal(['g=south', 'g=(other)']);
    expect(model.categorical).to.deep.equal({ g: ['south', '(other)'] });
    expect(model.reference).to.deep.equal({ g: ['north'] });
    expect(model.pooled).to.deep.equal({ g: rare });
    expect(model.coefficients['g=(other)']).to.be.closeTo(10, 0.7);
    expect(run.stdout).to.include('note: rare levels of "g" are pooled into "g=(other)" ("rare 0", "rare 1",');
    const other = join(folder, 'unknown.csv');
    writeFileSync(other, 'g\nnorth\nrare 3\nwest\n');
    const predictions = join(folder, 'pooled.out.csv');
    const predicted = await runCli(['predict', out, other, '--out', predictions, '--quiet']);
    expect(predicted.stderr).to.equal(
      'sluice: 1 of 3 rows has a level of "g" that the fit did not see ("west"), and is taken for one of its rare levels\n',
    );
    const [north, known, unknown] = readFileSync(predictions, 'utf8').trim().split('\n').slice(1).map(Number);
    expect(unknown).to.equal(known);
    expect(unknown! - north!).to.be.closeTo(model.coefficients['g=(other)']!, 1e-9);
  });

  it('are refused in a column of numbers of which no row has a declared one', async () => {
    const path = file('numbers.csv', ['0.5', '1.5', '2.5']);
    const { code, stderr } = await runCli(['fit', path, '--target', 'y', '--categorical', 'g=1|2']);
    expect([code, stderr]).to.deep.equal([
      2,
      `sluice: ${path}, column "g": has numbers such as "0.5", "1.5", "2.5", and no row has any of the declared levels "1", "2"; leave --categorical g=… out to use the numbers, or declare levels that occur\n`,
    ]);
  });

  it('leave no trace in a private fit, whatever rows hold', async () => {
    const privacy = ['--epsilon', '8', '--delta', '1e-6', '--bounds', 'x:-4..4,y:-4..8', '--seed', 'levels'];
    const runs = [];
    for (const [name, levels] of [
      ['declared.csv', ['1', '2']],
      ['undeclared.csv', ['0.5', '1.5']],
    ] as const) {
      const { stdout, stderr, model } = await fitted(file(name, levels), 'g=1|2', ...privacy);
      expect(JSON.stringify(model) + stdout + stderr).not.to.match(
        /undeclared levels|the reference of|no row has|0\.5"|1\.5"/,
      );
      expect(model).not.to.have.property('reference');
      // How much levels vary was released, with noise, and may be told.
      const masked = (text: string) =>
        text
          .replaceAll(/^note: noise hides how much .*\n/gm, '')
          .replaceAll(/-?\d+(\.\d+)?(e[-+]?\d+)?/g, '#')
          .replaceAll(/ +/g, ' ');
      runs.push({ stdout: masked(stdout), stderr: masked(stderr), keys: Object.keys(model) });
    }
    expect(runs[0]).to.deep.equal(runs[1]);
  });
});
