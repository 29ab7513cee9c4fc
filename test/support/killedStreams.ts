/** Watchers as processes of their own, each killed at a random moment while rows arrive. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { tableFromArrays } from 'apache-arrow';
import { expect } from 'chai';
import { build } from 'esbuild';
import { estimateOnline, type OnlineOptions } from '../../src/fit/online/estimateOnline.ts';
import type { OnlineEstimate } from '../../src/fit/online/onlineEstimate.ts';
import { uniform } from '../../src/math/random/random.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { allOf, cut } from './onlineRows.ts';

const project = resolve(fileURLToPath(new URL('../..', import.meta.url)));

export interface Published {
  readonly chunk: number;
  readonly read: number;
  readonly coefficients: OnlineEstimate['coefficients'];
}

/** A watcher that runs. */
export interface Watcher {
  /** Resolves once it has published so many estimates, or has ended. */
  published(estimates: number): Promise<void>;
  /** Resolves to the signal that ended it; fails with what it complained of. */
  readonly ended: Promise<NodeJS.Signals | null>;
  kill(): void;
}

export type StartWatcher = (
  source: string,
  options: OnlineOptions & { readonly published: string },
  see?: (read: number) => void,
) => Watcher;

/** Bundles what a watcher runs, as long as the work takes: it starts in a sixth of the time then. */
export async function withWatchers<T>(work: (start: StartWatcher) => Promise<T>): Promise<T> {
  mkdirSync(join(project, 'out'), { recursive: true });
  const out = mkdtempSync(join(project, 'out/watching-'));
  const running = new Set<Watcher>();
  try {
    await build({
      ...{ bundle: true, format: 'esm', platform: 'node', packages: 'external', splitting: true },
      absWorkingDir: project,
      entryPoints: { watchLoop: 'test/support/watchLoop.ts' },
      outdir: out,
      outExtension: { '.js': '.mjs' },
      logLevel: 'silent',
    });
    return await work((source, { published, ...options }, see = () => {}) => {
      const args = [join(out, 'watchLoop.mjs'), source, published, JSON.stringify(options)];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
      let complaint = '';
      child.stderr.on('data', part => {
        complaint += part;
      });
      const ended = new Promise<NodeJS.Signals | null>((done, fail) => {
        child.once('close', (_, signal) => {
          running.delete(watcher);
          if (complaint === '' || /ExperimentalWarning/.test(complaint)) done(signal);
          else fail(new Error(complaint));
        });
      });
      ended.catch(() => {});
      let count = 0;
      const waiting = new Map<() => void, number>();
      createInterface(child.stdout).on('line', read => {
        count++;
        see(Number(read));
        for (const [go, estimates] of waiting) if (count >= estimates) go();
      });
      const watcher: Watcher = {
        ended,
        published: async estimates => {
          if (count >= estimates) return;
          await Promise.race([ended, new Promise<void>(go => waiting.set(go, estimates))]);
        },
        kill: () => void child.kill('SIGKILL'),
      };
      running.add(watcher);
      return watcher;
    });
  } finally {
    for (const watcher of running) watcher.kill();
    rmSync(out, { recursive: true, force: true });
  }
}

/** Rows by columns. */
export type Rows = Readonly<Record<string, readonly number[]>>;

/** No two rows are alike, so that one that is lost or used twice shows in every later estimate. */
export function labelledRows(message: number, rows: number): Rows {
  const random = seeded(message, 'labelled rows');
  const x = Array.from({ length: rows }, () => uniform(random));
  return { x, y: x.map((value, i) => 3 * value + uniform(random) + (message * rows + i) * 1e-6) };
}

/** The rows as JSON objects. */
export const objectsOf = (rows: Rows): object[] =>
  Object.values(rows)[0]!.map((_, i) => Object.fromEntries(Object.entries(rows).map(([name, all]) => [name, all[i]])));

/** A stream into which messages arrive one after another. */
export interface Feed {
  readonly source: string;
  readonly rowsOf: (message: number) => Rows;
  /** Resolves once the message is there for ever. */
  send(message: number, rows: Rows): Promise<void>;
  /** Ends the broker by force and starts it again; `between` is done while it is away. */
  restart?(between: () => Promise<void>): Promise<void>;
}

/** The folder as a feed of files of lines. */
export function folderFeed(folder: string, rows: number): Feed {
  const [source, waiting] = [join(folder, 'stream'), join(folder, 'waiting')] as const;
  for (const made of [source, waiting]) mkdirSync(made);
  return {
    source,
    rowsOf: message => labelledRows(message, rows),
    send: async (message, sent) => {
      const name = `part-${message}.ndjson`;
      const lines = objectsOf(sent).map(row => `${JSON.stringify(row)}\n`);
      writeFileSync(join(waiting, name), lines.join(''));
      renameSync(join(waiting, name), join(source, name));
    },
  };
}

export interface Killed {
  readonly published: readonly Published[];
  /** Watchers that were killed while they ran. */
  readonly kills: number;
  readonly restarts: number;
  /** All rows that were sent, which the last watcher read. */
  readonly sent: Rows;
  readonly rows: number;
}

/** Rows that arrive ahead of what is read, in parts of the largest chunk: a watcher never waits for long. */
const AHEAD = 3;

/**
 * Kills watchers while rows arrive, and every few of them the broker too, and then lets one come to the end.
 * `chunk` is the most rows that an estimate needs.
 */
export async function killWatchers(
  folder: string,
  feed: Feed,
  options: OnlineOptions,
  { kills, restarts = 0, chunk }: { readonly kills: number; readonly restarts?: number; readonly chunk: number },
): Promise<Killed> {
  const published = join(folder, 'published.ndjson');
  const asked = { ...options, checkpoint: join(folder, 'state'), published };
  const random = seeded(7, 'kills');
  const sent: Record<string, number[]> = {};
  let [messages, rows, read, done, restarted] = [0, 0, 0, 0, 0];
  const sendOne = async (): Promise<void> => {
    const next = feed.rowsOf(messages);
    await feed.send(messages++, next);
    for (const [name, values] of Object.entries(next)) {
      sent[name] ??= [];
      sent[name].push(...values);
      rows = sent[name].length;
    }
  };
  let isOver = false;
  const arrive = async (): Promise<void> => {
    while (!isOver)
      if (rows < read + AHEAD * chunk) await sendOne();
      else await after(2);
  };
  const run = withWatchers(async start => {
    const arriving = arrive();
    let failed: unknown;
    arriving.catch(error => {
      failed = error;
    });
    const see = (found: number): void => {
      read = found;
    };
    for (let kill = 0; kill < kills; kill++) {
      const watcher = start(feed.source, asked, see);
      const restarting = Math.floor(((kill + 1) * restarts) / kills) > Math.floor((kill * restarts) / kills);
      // Some are killed while they start, most after an estimate or two, the first of which was published before.
      // Before the second its stream may not be open, and it would end where no broker is.
      const estimates = restarting ? 2 : kill % 4 === 3 ? 0 : 1 + Math.floor(2 * uniform(random));
      await watcher.published(estimates);
      await after((estimates === 0 ? 500 : 20) * uniform(random));
      const isWithBroker = restarting && restarted % 2 === 1;
      if (restarting) {
        await feed.restart!(async () => {
          await after(100 * uniform(random));
          if (isWithBroker) watcher.kill();
        });
        restarted++;
        // Two that it cannot have had yet: it reads again.
        if (!isWithBroker) await watcher.published(estimates + AHEAD + 2);
      }
      watcher.kill();
      if ((await watcher.ended) === 'SIGKILL') done++;
      if (failed !== undefined) throw failed;
    }
    isOver = true;
    await arriving;
    while (rows < read + AHEAD * chunk) await sendOne();
    await start(feed.source, { ...asked, untilRows: rows }).ended;
    const lines = readFileSync(published, 'utf8').split('\n').slice(0, -1);
    return { published: lines.map(text => JSON.parse(text)), kills: done, restarts: restarted, sent, rows };
  });
  return run.finally(() => {
    isOver = true;
  });
}

/** What a run over the same rows publishes that nobody kills. */
export async function undisturbed(sent: Rows, options: OnlineOptions): Promise<readonly Published[]> {
  const table = tableFromArrays(
    Object.fromEntries(Object.entries(sent).map(([name, values]) => [name, Float64Array.from(values)])),
  );
  const whole = await allOf(estimateOnline(cut(table, 1000), { ...options, untilRows: table.numRows }));
  return whole.map(({ chunk, rows: { read }, coefficients }) =>
    JSON.parse(JSON.stringify({ chunk, read, coefficients })),
  );
}

/** Every estimate is the one of a run that nobody killed, to the bit, and none is left out, up to the last. */
export function expectSameStream(published: readonly Published[], whole: readonly Published[]): void {
  for (const estimate of published) expect(estimate, `chunk ${estimate.chunk}`).to.deep.equal(whole[estimate.chunk]);
  expectNoneLeftOut(published);
  expect(published.at(-1)!.chunk).to.equal(whole.length - 1);
}

/** An estimate is the last one again, or the next. */
export function expectNoneLeftOut(published: readonly Published[]): void {
  expect(published[0]!.chunk).to.equal(0);
  published.slice(1).forEach(({ chunk }, k) => {
    expect(chunk - published[k]!.chunk).to.be.within(0, 1);
  });
}
