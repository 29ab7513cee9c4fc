import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runCli, spawnCli } from '../support/runCli.ts';

describe('a process of sluice', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-main-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  // Other tests run commands within their own process, which does not show that a command ends, and how.
  it('ends by itself after every command, with what the command says in another process', async () => {
    const data = 'data/incomes.csv';
    const model = join(folder, 'model.json');
    const bounds = ['--bounds', 'hours:0..80,age:18..99,income:0..200', '--epsilon', '3', '--delta', '1e-5'];
    const commands = [
      ['fit', data, '--target', 'income', '--out', model],
      ['fit', data, '--target', 'income', ...bounds, '--seed', '1', '--json'],
      ['fit', data, '--target', 'nothing'],
      ['plan', '--target', 'income', '--rows', '3000', ...bounds],
      ['predict', model, data, '--keep', 'town'],
      ['evaluate', model, data],
      ['inspect', data],
      ['ledger', join(folder, 'none.ledger')],
      ['--help'],
    ];
    for (const args of commands) {
      const flags = args[0] === '--help' ? args : [...args, '--quiet'];
      const [here, there] = [await runCli(flags), await spawnCli(flags)];
      expect(there, args.join(' ')).to.deep.equal(here);
    }
  });

  it('says in its help which estimates fit and watch give', async () => {
    const { stdout } = await runCli(['fit', '--help']);
    expect(stdout.replace(/\s+/g, ' ')).to.contain("by the mean of Huber's fit and a bisquare fit");
    const { stdout: watching } = await runCli(['watch', '--help']);
    expect(watching.replace(/\s+/g, ' ')).to.contain("of a linear regression, unless a loss is given, Huber's fit");
  });

  it('reads standard input to its end', async () => {
    const rows = Array.from({ length: 200 }, (_, i) => `${i % 7},${2 * (i % 7) + (i % 3)}`);
    const flags = ['fit', '-', '--target', 'y', '--rows', '200', '--json', '--quiet'];
    const [here, there] = [
      await runCli(flags, `x,y\n${rows.join('\n')}\n`),
      await spawnCli(flags, `x,y\n${rows.join('\n')}\n`),
    ];
    expect(there.code, there.stderr).to.equal(0);
    expect(there).to.deep.equal(here);
  });
});
