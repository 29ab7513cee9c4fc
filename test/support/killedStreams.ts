/** Watchers as processes of their own, each killed at a random moment, over a folder into which files arrive. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { estimateOnline } from '../../src/fit/online/estimateOnline.ts';
import { uniform } from '../../src/math/random/random.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { allOf } from './onlineRows.ts';

const project = resolve(fileURLToPath(new URL('../..', import.meta.url)));
const FILES = 20;
const ROWS = 300;

interface Published {
  readonly chunk: number;
  readonly read: number;
  readonly coefficients: object;
}

/** No two rows are alike, so that one that is lost or used twice shows in every later estimate. */
function labelled(file: number): string {
  const random = seeded(file, 'labelled rows');
  return Array.from({ length: ROWS }, (_, i) => {
    const label = file * ROWS + i;
    const x = uniform(random);
    return `${JSON.stringify({ x, y: 3 * x + uniform(random) + label * 1e-6 })}\n`;
  }).join('');
}

/** Kills watchers, and then lets one come to the end; what they published, and what one that is never killed does. */
export async function killWatchers(
  folder: string,
  kills: number,
): Promise<{ readonly published: readonly Published[]; readonly whole: readonly Published[]; readonly kills: number }> {
  mkdirSync(join(project, 'out'), { recursive: true });
  const out = mkdtempSync(join(project, 'out/watching-'));
  const script = join(out, 'watchLoop.mjs');
  const [stream, complete, waiting] = ['stream', 'complete', 'waiting'].map(name => join(folder, name));
  const published = join(folder, 'published.ndjson');
  for (const made of [stream!, complete!, waiting!]) mkdirSync(made);
  try {
    const options = { bundle: true, format: 'esm', platform: 'node', packages: 'external', splitting: true } as const;
    await build({
      ...options,
      absWorkingDir: project,
      entryPoints: { watchLoop: 'test/support/watchLoop.ts' },
      outdir: out,
      outExtension: { '.js': '.mjs' },
      logLevel: 'silent',
    });
    for (let file = 0; file < FILES; file++) {
      writeFileSync(join(complete!, `part-${file}.ndjson`), labelled(file));
      writeFileSync(join(waiting!, `part-${file}.ndjson`), labelled(file));
    }
    const random = seeded(7, 'kills');
    let arrived = 0;
    const arrive = (): void => {
      if (arrived === FILES) return;
      const name = `part-${arrived++}.ndjson`;
      renameSync(join(waiting!, name), join(stream!, name));
    };
    arrive();
    arrive();
    let done = 0;
    for (let kill = 0; kill <= kills; kill++) {
      const args = [script, stream!, join(folder, 'state'), published, String(FILES * ROWS)];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
      let complaint = '';
      child.stderr.on('data', part => {
        complaint += part;
      });
      const ended = new Promise<NodeJS.Signals | null>(resolve => child.once('exit', (_, signal) => resolve(signal)));
      if (kill < kills) {
        // Some are killed while they start, most after an estimate or two.
        const words = kill % 4 === 3 ? 0 : 1 + Math.floor(2 * uniform(random));
        await Promise.race([ended, said(child.stdout, words, arrive)]);
        await after(20 * uniform(random));
        child.kill('SIGKILL');
        if ((await ended) === 'SIGKILL') done++;
      } else {
        while (arrived < FILES) arrive();
        await ended;
      }
      if (complaint !== '' && !/ExperimentalWarning/.test(complaint)) throw new Error(complaint);
    }
    const whole = await allOf(estimateOnline(complete!, { target: 'y', chunk: 400, untilRows: FILES * ROWS }));
    return {
      kills: done,
      published: readFileSync(published, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map(text => JSON.parse(text)),
      whole: whole.map(({ chunk, rows: { read }, coefficients }) =>
        JSON.parse(JSON.stringify({ chunk, read, coefficients })),
      ),
    };
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** Waits until so much was said; files arrive meanwhile. */
async function said(stdout: NodeJS.ReadableStream, words: number, arrive: () => void): Promise<void> {
  let count = 0;
  stdout.on('data', part => {
    count += part.length;
  });
  while (count < words) {
    await after(30);
    arrive();
  }
}
