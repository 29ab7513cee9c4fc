import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { expect } from 'chai';
import { uniform } from '../../src/math/random/random.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { readLedgerFile } from '../../src/privacy/ledgerFile/readLedgerFile.ts';
import { chainOf } from './ledgerPlans.ts';
import { plainBuild } from './plainBuild.ts';

/**
 * Kills runs on one ledger file, each at a random moment, and checks after every kill that the file is intact, that
 * nothing in it has changed, and that whatever was released had been charged. Returns how many runs were released from.
 */
export async function killRuns(kills: number): Promise<number> {
  const build = plainBuild(
    'src/errors.ts',
    'src/files.ts',
    'src/words.ts',
    'src/math',
    'src/privacy',
    'test/support/ledgerLoop.ts',
    'test/support/ledgerPlans.ts',
  );
  try {
    const folder = build.folder();
    const [path, released] = [join(folder, 'ledger.jsonl'), join(folder, 'released.txt')];
    const random = seeded(1, 'kills');
    let before = '';
    let runs = new Map<string, number>();
    for (let kill = 0; kill < kills; kill++) {
      const child = spawn(process.execPath, [build.compiled('test/support/ledgerLoop.ts'), path, released]);
      await killed(child, 1 + Math.floor(12 * uniform(random)), 5 * uniform(random));
      const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
      const whole = text.slice(0, text.lastIndexOf('\n') + 1);
      expect(whole.startsWith(before), `after kill ${kill} the file still has all its lines`).to.equal(true);
      before = whole;
      chainOf(whole);
      if (whole === '') continue;
      const charges = new Map(readLedgerFile(path).accounts[0]?.runs.map(run => [run.run, run.charges]));
      runs = releasesOf(released);
      for (const [run, releases] of runs) {
        expect(charges.get(run) ?? 0, `charges of run ${run} after kill ${kill}`).to.be.at.least(releases);
      }
    }
    return runs.size;
  } finally {
    build.remove();
  }
}

/** Kills the process some milliseconds after it has said so much. */
async function killed(child: ChildProcessWithoutNullStreams, words: number, delay: number): Promise<void> {
  const ended = new Promise<NodeJS.Signals | null>(done => child.once('exit', (_, signal) => done(signal)));
  let complaint = '';
  child.stderr.on('data', part => {
    complaint += part;
  });
  let said = 0;
  const arrived = new Promise<void>(done => {
    child.stdout.on('data', part => {
      said += part.length;
      if (said >= words) done();
    });
  });
  await Promise.race([arrived, ended]);
  await after(delay);
  child.kill('SIGKILL');
  expect(await ended, complaint).to.equal('SIGKILL');
}

function releasesOf(path: string): Map<string, number> {
  const counts = new Map<string, number>();
  if (!existsSync(path)) return counts;
  for (const line of readFileSync(path, 'utf8').split('\n').slice(0, -1)) {
    const run = line.split(' ')[0]!;
    counts.set(run, (counts.get(run) ?? 0) + 1);
  }
  return counts;
}
