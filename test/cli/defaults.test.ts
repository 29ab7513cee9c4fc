import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { normal } from '../../src/math/random/normal.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { studentT } from '../../src/math/random/studentT.ts';
import { runCli } from '../support/runCli.ts';

describe('sluice fit without settings', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-defaults-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const random = seeded('cli', 'defaults');
  const people = Array.from({ length: 3000 }, () => {
    const [x, z] = [normal(random), normal(random)];
    return { x, z, y: 2 * x - z + 5 + studentT(random, 3) };
  });

  /** Fits and predicts the same rows, with features changed. */
  async function predictions(name: string, change: (x: number, z: number) => [number, number]): Promise<number[]> {
    const file = (kind: string): string => join(folder, `${name}.${kind}`);
    const lines = people.map(({ x, z, y }) => [...change(x, z), y].join(','));
    writeFileSync(file('csv'), `x,z,y\n${lines.join('\n')}\n`);
    const fit = await runCli(['fit', file('csv'), '--target', 'y', '--out', file('json')]);
    expect(fit.code, fit.stderr).to.equal(0);
    const predict = await runCli(['predict', file('json'), file('csv'), '--out', file('predicted.csv')]);
    expect(predict.code, predict.stderr).to.equal(0);
    const [head, ...rows] = readFileSync(file('predicted.csv'), 'utf8').trim().split('\n');
    const at = head!.split(',').indexOf('prediction');
    return rows.map(row => Number(row.split(',')[at]));
  }

  it('predicts nearly the same with a column times 1e6, and with one plus 1e6, of which half-samples are others', async () => {
    const [usual, scaled, shifted] = await Promise.all([
      predictions('usual', (x, z) => [x, z]),
      predictions('scaled', (x, z) => [1e6 * x, z]),
      predictions('shifted', (x, z) => [x, z + 1e6]),
    ]);
    expect(usual).to.have.length(people.length);
    const size = Math.hypot(...usual!);
    for (const moved of [scaled!, shifted!]) {
      expect(Math.hypot(...moved.map((value, i) => value - usual![i]!)) / size).to.be.below(1e-2);
    }
  });

  it('leaves the row index of pandas out, and predicts and evaluates rows that have none', async () => {
    const at = (name: string): string => join(folder, name);
    const lines = people.map(({ x, y }) => `${x},${y}`);
    writeFileSync(at('bare.csv'), `x,y\n${lines.join('\n')}\n`);
    const indexed = lines.map((line, i) => `${line},${3 * i}`).join('\n');
    writeFileSync(at('indexed.csv'), `x,y,__index_level_0__\n${indexed}\n`);
    const ask = ['fit', at('indexed.csv'), '--target', 'y'];
    const fit = await runCli([...ask, '--out', at('indexed.json')]);
    expect(fit.stdout).to.match(/^y on 1 feature,/);
    expect(fit.stdout).to.match(/note: "__index_level_0__" is pandas' row index and was left out/);
    const given = [at('indexed.json'), at('bare.csv')];
    for (const use of [
      ['predict', ...given, '--out', at('of bare.csv')],
      ['evaluate', ...given],
    ]) {
      const { code, stderr } = await runCli(use);
      expect(code, stderr).to.equal(0);
    }
    const named = await runCli([...ask, '--features', 'x,__index_level_0__']);
    expect(named.stdout)
      .to.match(/^y on 2 features,/)
      .and.not.include('pandas');
  });
});
