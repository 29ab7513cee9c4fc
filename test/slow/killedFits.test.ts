import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { normal } from '../../src/math/random/normal.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { readLedgerFile } from '../../src/privacy/ledgerFile/readLedgerFile.ts';
import { bundleOfCli, spawnCli } from '../support/runCli.ts';

const BOUNDS = ['--bounds', 'a:-4..4,b:-4..4,y:-12..12', '--epsilon', '1', '--delta', '1e-7'];

describe('a fit with --checkpoint that is killed', () => {
  let folder: string;
  let csv: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-'));
    csv = join(folder, 'rows.csv');
    const random = seeded(3, 'rows');
    const lines = Array.from({ length: 100_000 }, () => {
      const [a, b] = [normal(random), normal(random)];
      return `${a.toFixed(4)},${b.toFixed(4)},${(1 + 2 * a - b + normal(random)).toFixed(4)}`;
    });
    writeFileSync(csv, `a,b,y\n${lines.join('\n')}\n`);
  });
  after(() => rmSync(folder, { recursive: true }));

  /** The steps whose answers a checkpoint has kept. */
  function keptIn(checkpoint: string): number {
    const path = join(checkpoint, 'fit.checkpoint');
    return existsSync(path) ? readFileSync(path, 'utf8').split('"kind":"step"').length - 1 : 0;
  }

  /** Kills the command as soon as its checkpoint has kept so many steps; whether it was in time. */
  async function killedAfter(steps: number, args: readonly string[], checkpoint: string): Promise<boolean> {
    const child = spawn(process.execPath, [...bundleOfCli(), ...args], { stdio: 'ignore' });
    const ended = new Promise<NodeJS.Signals | null>(done => child.once('exit', (_, signal) => done(signal)));
    let isOver = false;
    ended.then(() => {
      isOver = true;
    });
    while (!isOver) {
      if (keptIn(checkpoint) >= steps) break;
      await pause(2);
    }
    child.kill('SIGKILL');
    return (await ended) === 'SIGKILL';
  }

  const runs: Record<string, readonly string[]> = {
    'by itself': [],
    'on fresh chunks': ['--mode', 'fresh', '--steps', '8'],
    'in many steps': ['--method', 'nesterov', '--mode', 'full', '--steps', '30', '--order', 'as-is'],
    'with seeded noise': [...BOUNDS, '--seed', '1', '--mode', 'full', '--steps', '12', '--moments', 'yes'],
  };
  for (const [name, flags] of Object.entries(runs)) {
    it(`writes the same model to the byte, ${name}`, async () => {
      const [whole, out] = [join(folder, 'whole.json'), join(folder, 'model.json')];
      const asked = ['fit', csv, '--target', 'y', ...flags, '--quiet'];
      expect((await spawnCli([...asked, '--out', whole])).code).to.equal(0);
      const steps = JSON.parse(readFileSync(whole, 'utf8')).plan.steps as number;
      let kills = 0;
      for (let step = 0; step < steps; step += Math.ceil(steps / 8)) {
        const checkpoint = join(folder, 'kept');
        const args = [...asked, '--checkpoint', checkpoint, '--out', out];
        // A second kill on the way, where there is time for it.
        for (const at of [step, step + 2]) if (await killedAfter(at, args, checkpoint)) kills++;
        const { code, stderr } = await spawnCli(args);
        expect(code, stderr).to.equal(0);
        expect(readFileSync(out, 'utf8'), `killed after step ${step}`).to.equal(readFileSync(whole, 'utf8'));
        expect(existsSync(join(checkpoint, 'fit.checkpoint'))).to.equal(false);
        rmSync(out);
      }
      expect(kills).to.be.at.least(steps > 2 ? 3 : 1);
    });
  }

  it('is charged for each release once, and has the model of what it released', async () => {
    const [ledger, out] = [join(folder, 'ledger.jsonl'), join(folder, 'model.json')];
    const checkpoint = join(folder, 'private');
    const args = [
      ...['fit', csv, '--target', 'y', ...BOUNDS, '--mode', 'full', '--steps', '12', '--moments', 'yes', '--quiet'],
      ...['--ledger', ledger, '--dataset', 'rows', '--budget', '1', '--checkpoint', checkpoint, '--out', out],
    ];
    let charges = 0;
    for (let step = 0; step < 13; step += 2) {
      await killedAfter(step, args, checkpoint);
      const runs = existsSync(ledger) ? (readLedgerFile(ledger).accounts[0]?.runs ?? []) : [];
      const kept = keptIn(checkpoint);
      const now = runs.reduce((sum, run) => sum + run.charges, 0);
      expect(now, 'charged before it was kept').to.be.at.least(Math.max(kept, charges));
      charges = now;
    }
    expect((await spawnCli(args)).code).to.equal(0);
    const runs = readLedgerFile(ledger).accounts[0]!.runs.filter(run => run.charges > 0);
    expect(runs).to.have.length(1);
    expect(runs[0]).to.include({ charges: 14, isFinished: true });
    const { coefficients } = JSON.parse(readFileSync(out, 'utf8'));
    // Noise of some 0.003: a false alarm would take thirty standard deviations.
    expect(coefficients.a).to.be.closeTo(2, 0.1);
    expect(coefficients.b).to.be.closeTo(-1, 0.1);
    expect(existsSync(join(checkpoint, 'fit.checkpoint'))).to.equal(false);
  });
});
