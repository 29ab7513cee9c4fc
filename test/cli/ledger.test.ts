import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { nonPrivateEvent } from '../../src/privacy/event.ts';
import { epsilonFor, muFor } from '../../src/privacy/gaussianDp.ts';
import { openLedgerFile } from '../../src/privacy/ledgerFile/openLedgerFile.ts';
import { chained } from '../../src/privacy/ledgerFile/record.ts';
import { expectClose } from '../support/close.ts';
import { DELTA, promising, release, seededRun, spend } from '../support/ledgerPlans.ts';
import { runCli } from '../support/runCli.ts';

describe('sluice ledger', () => {
  const mu = muFor(0.9, DELTA);
  let folder: string;
  let path: string;
  let whole: Buffer;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-ledger-cli-'));
    path = join(folder, 'ledger.jsonl');
    const people = openLedgerFile(path, { dataset: 'people', budget: { epsilon: 2, delta: DELTA } });
    spend(people, 0.9);
    people.begin(promising(0.9)).charge(release(0, mu));
    people.close();
    const demo = openLedgerFile(path, { dataset: 'demo' });
    demo.begin(seededRun).charge(nonPrivateEvent({ chunk: 0, reason: 'seeded noise' }));
    demo.close();
    whole = readFileSync(path);
  });
  beforeEach(() => writeFileSync(path, whole));
  after(() => rmSync(folder, { recursive: true }));

  it('prints what every data set has spent and has left, and which runs did not finish or were not private', async () => {
    const { code, stdout, stderr } = await runCli(['ledger', path]);
    expect(code, stderr).to.equal(0);
    expect(stdout).to.include(`${path}: 8 lines, the chain is intact, head `);
    const spent = Number(epsilonFor(mu * Math.SQRT2, DELTA).toPrecision(6));
    expect(stdout).to.include('people\n  protects  one row\n');
    expect(stdout).to.include(`spent     epsilon ${spent} at delta 0.000001, mu 0.303554, rho 0.0460727\n`);
    expect(stdout).to.include('budget    epsilon 2 at delta 0.000001\n');
    expect(stdout).to.match(/left {6}epsilon 1\.4319\d at delta 0\.000001, mu 0\.32993\d\n/);
    expect(stdout).to.match(/pay +finished +1 +0\.9 +0\.000001 +0\.214645 +sluice test\n/);
    expect(stdout).to.match(/pay +unfinished +1 +0\.9 +0\.000001 +0\.214645 +sluice test\n/);
    expect(stdout).to.match(/demo\n +protects +one row\n +spent +NOT PRIVATE: epsilon is infinite/);
    expect(stdout).to.match(/pay +unfinished +1 +NOT PRIVATE \(seeded\)/);
    expect(readFileSync(path).equals(whole)).to.equal(true);
    expect(readdirSync(folder)).to.deep.equal(['ledger.jsonl']);
  });

  it('prints the same as one JSON document', async () => {
    const { code, stdout } = await runCli(['ledger', path, '--json']);
    expect(code).to.equal(0);
    const { accounts, ...file } = JSON.parse(stdout);
    expect(file).to.deep.include({ file: path, lines: 8, mended: 0, torn: 0 });
    expect(accounts.map((account: { dataset: string }) => account.dataset)).to.deep.equal(['people', 'demo']);
    expectClose(accounts[0].left.mu, Math.sqrt(muFor(2, DELTA) ** 2 - 2 * mu ** 2));
    expect(accounts[0].runs.map((run: { isFinished: boolean }) => run.isFinished)).to.deep.equal([true, false]);
    expect(accounts[1]).to.include({ isPrivate: false, epsilon: null, mu: null, spent: 0 });
  });

  it('says whom the account of a data set protects, as far as its runs say so', async () => {
    const plan = { ...promising(0.5), protects: { unit: 'person', maxPerUnit: 20 } };
    const units = openLedgerFile(path, { dataset: 'units' });
    units.begin(plan).finish();
    const line = { kind: 'run', run: 'r', at: 'long ago', dataset: 'older', target: 'pay', createdWith: 'x' };
    const { guarantee } = plan;
    writeFileSync(path, chained(units.head, { ...line, guarantee, budget: null }).line, { flag: 'a' });
    units.close();
    const { stdout } = await runCli(['ledger', path]);
    expect(stdout).to.include('units\n  protects  all rows of one person, of which at most 20 are used\n');
    expect(stdout).to.include('older\n  protects  one row, because its runs protect different units, or');
    const { accounts } = JSON.parse((await runCli(['ledger', path, '--json'])).stdout);
    expect(accounts.map((account: { protects: unknown }) => account.protects)).to.deep.equal([
      'row',
      'row',
      plan.protects,
      'row',
    ]);
    expect(accounts[2].runs[0].protects).to.deep.equal(plan.protects);
    expect(accounts[3].runs[0].protects).to.equal(null);
  });

  it('counts the line of a ledger without runs as one', async () => {
    const fresh = join(folder, 'fresh.jsonl');
    // A file that was not there would go with the run that never was.
    writeFileSync(fresh, '');
    openLedgerFile(fresh, { dataset: 'people' }).close();
    expect((await runCli(['ledger', fresh])).stdout).to.include(': 1 line, the chain is intact');
    rmSync(fresh);
  });

  it('reads a ledger that a run has open, and one that a killed run has torn, and changes neither', async () => {
    const open = openLedgerFile(path, { dataset: 'people' });
    expect((await runCli(['ledger', path])).code).to.equal(0);
    open.close();
    const torn = whole.subarray(0, -10);
    writeFileSync(path, torn);
    const { code, stdout } = await runCli(['ledger', path]);
    expect(code).to.equal(0);
    expect(stdout).to.include('7 lines, the chain is intact').and.to.include('the last line is torn');
    expect(readFileSync(path).equals(torn)).to.equal(true);
    openLedgerFile(path, { dataset: 'people' }).close();
    expect((await runCli(['ledger', path])).stdout).to.include('1 torn line was removed');
  });

  it('refuses a broken chain with the line, a line that was noted and is gone, and what is no ledger', async () => {
    const refused = async (args: readonly string[], complaint: string): Promise<void> => {
      const { code, stdout, stderr } = await runCli(['ledger', ...args]);
      expect({ code, stdout }, stderr).to.deep.equal({ code: 2, stdout: '' });
      expect(stderr).to.include(complaint);
    };
    const lines = whole.toString().split('\n');
    const head = JSON.parse(lines.at(-2)!).hash;
    expect((await runCli(['ledger', path, '--holds', head])).code).to.equal(0);
    writeFileSync(path, lines.toSpliced(-2, 1).join('\n'));
    await refused([path, '--holds', head], `no line with the hash ${head}`);
    writeFileSync(path, lines.toSpliced(2, 1).join('\n'));
    await refused([path, '--json'], `${path}, line 3: the chain is broken`);
    await refused(['package.json'], 'package.json is not a ledger');
    await refused([join(folder, 'none')], 'cannot be read');
  });
});
