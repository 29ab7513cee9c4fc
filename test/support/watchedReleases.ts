/** What `estimateOnline` releases about streams that differ in a row, seen from outside: in its checkpoints. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Table, tableFromArrays } from 'apache-arrow';
import { build } from 'esbuild';
import { releaseSummer } from '../../src/engine/kernel/releaseSummer.ts';
import { estimateOnline, type OnlineOptions } from '../../src/fit/online/estimateOnline.ts';
import { planStream } from '../../src/fit/online/planStream.ts';
import type { PrivateCheckpoint } from '../../src/fit/online/privateOnline.ts';
import { answerOf } from '../../src/flow/stored.ts';
import { fromText, toText } from '../../src/math/plainData.ts';
import type { PooledState } from '../../src/method/rule/pooled.ts';
import type { PrivateOnlinePlan } from '../../src/plan/online/planPrivateOnline.ts';
import { allOf, cut, scaledRows } from './onlineRows.ts';

export type Run = typeof estimateOnline;

/** A large epsilon, so that releases have few rows; an odd chunk, so that a row more changes the sum of rows in turn. */
export const ASKED = {
  target: 'y',
  bounds: { x1: [-1, 1], x2: [-1, 1], y: [-1, 1] },
  epsilon: 60,
  delta: 1e-6,
  chunk: 41,
} satisfies OnlineOptions;

/** The plan that `estimateOnline` follows. */
export function planOf(options: OnlineOptions): PrivateOnlinePlan {
  const features = ['x1', 'x2'].map((name, field) => ({ name, field }));
  return planStream(options, features) as PrivateOnlinePlan;
}

/** The columns of a row; a unit goes with runs for units. */
export type Row = readonly [x1: unknown, x2: unknown, y: unknown, unit?: unknown];

/** Calm rows as many as `releases` releases need, each of a unit of its own. */
export function calmRows(plan: PrivateOnlinePlan, releases: number): Row[] {
  const table = scaledRows(plan.rowsBefore(releases));
  const [x1, x2, y] = ['x1', 'x2', 'y'].map(name => table.getChild(name)!.toArray() as Float64Array);
  return Array.from(x1!, (value, i) => [value, x2![i], y![i], `unit ${i}`]);
}

/** Rows of two kinds in turn, which a gradient tells apart as well as any. */
export const inTurn = (position: number): Row => [1, 1, position % 2 === 0 ? 1 : -1, `in turn ${position}`];

export const tableOf = (rows: readonly Row[]): Table =>
  tableFromArrays(
    Object.fromEntries(
      ['x1', 'x2', 'y', 'unit'].map((name, k) => [name, rows.map(row => row[k] ?? null)]),
    ) as unknown as Record<string, Float64Array>,
  ) as unknown as Table;

/** The folder of a run after a release, and what was released, in steps of the grid. */
export interface Released {
  readonly folder: string;
  readonly sums: Float64Array;
}

/** Runs over rows in folders of their own, each for one release, whose noise is that of the seed. */
export function releasing(plan: PrivateOnlinePlan, options: OnlineOptions, run: Run = estimateOnline) {
  const root = mkdtempSync(join(tmpdir(), 'sluice-releases-'));
  let folders = 0;
  return {
    /** The release after `from`, or the first one; counts of units are those of another run if that is given. */
    next: async (
      rows: readonly Row[],
      from: Released | null,
      release: number,
      { seed = 'noise', units = null }: { readonly seed?: string; readonly units?: Released | null } = {},
    ): Promise<Released> => {
      const folder = join(root, String(folders++));
      if (from === null) mkdirSync(folder);
      else cpSync(from.folder, folder, { recursive: true });
      if (units !== null)
        for (const name of ['units.key', 'units.bin']) cpSync(join(units.folder, name), join(folder, name));
      const untilRows = plan.rowsBefore(release + 1);
      const given = { ...options, seed, checkpoint: folder, untilRows };
      await allOf(run(cut(tableOf(rows), 97), given));
      const { made, releases } = contentOf(folder);
      if (releases !== release + 1) throw new Error(`${releases} releases were made, and not ${release + 1}`);
      return { folder, sums: made!.release.sums.map(value => Math.round(value / plan.noise.grid)) };
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

interface Content {
  readonly made: PrivateCheckpoint | null;
  readonly releases: number;
}

/** What the checkpoint of a private run holds. */
export const contentOf = (folder: string): Content => {
  const whole = fromText(readFileSync(join(folder, 'checkpoint.json'), 'utf8')) as { readonly content: Content };
  return whole.content;
};

/** The same checkpoint with another release in it. */
export function withRelease(text: string, change: (value: number, k: number) => number): string {
  const whole = fromText(text) as { readonly content: Content };
  const { made } = whole.content;
  const release = { ...made!.release, sums: made!.release.sums.map(change) };
  return toText({ ...whole, content: { ...whole.content, made: { ...made, release } } });
}

/**
 * The mu of the transcripts of two streams under noise that both draw alike: each release of one stream is compared with
 * what the other would release given the same past, and the loss of a transcript is then normal, with the shifts'
 * squares summed, to the discreteness of the noise.
 */
export async function muBetween(
  [one, other]: readonly [readonly Row[], readonly Row[]],
  options: OnlineOptions,
  { run, from = 0, to }: { readonly run?: Run; readonly from?: number; readonly to: number },
): Promise<{ readonly mu: number; readonly declared: number; readonly moved: readonly number[] }> {
  const plan = planOf(options);
  const { next, remove } = releasing(plan, options, run);
  const moved: number[] = [];
  let squares = 0;
  try {
    const hasUnits = options.unit !== undefined;
    let [state, last]: [Released | null, Released | null] = [null, null];
    for (let t = 0; t < to; t++) {
      const own = await next(one, state, t);
      if (t >= from || hasUnits) {
        // The same past was released, but what units had their share is what each stream has had itself.
        last = await next(other, state, t, { units: hasUnits ? last : null });
        const shift = squaredShift(own, last);
        if (shift > 0) moved.push(t);
        squares += shift;
      }
      state = own;
    }
  } finally {
    remove();
  }
  return { mu: Math.sqrt(squares) / plan.noise.scale, declared: plan.figures.mu, moved };
}

export const squaredShift = ({ sums }: Released, other: Released): number =>
  sums.reduce((sum, value, k) => sum + (value - other.sums[k]!) ** 2, 0);

/** The state that the next question is asked in. */
export const stateAfter = ({ rule }: PrivateOnlinePlan, { made }: Content): PooledState =>
  rule.step(made!.state, answerOf(made!.release));

/** What release t would be without noise, asked in a state; at the beginning without one. */
export function rawSums(plan: PrivateOnlinePlan, rows: readonly Row[], state: PooledState | null, t: number) {
  const summer = releaseSummer({
    question: plan.rule.question(state ?? plan.rule.init(plan.start)),
    features: 2,
    rows: plan.steps.at(t)!.rows,
    squaredNorm: plan.noise.squaredNorm,
  });
  const own = rows.slice(plan.rowsBefore(t), plan.rowsBefore(t + 1));
  const [x1, x2, y] = [0, 1, 2].map(k => Float64Array.from(own, row => row[k] as number));
  summer.add({ rows: own.length, columns: [x1!, x2!], target: y! });
  return summer.finish().sums;
}

/** A change of the sources, which a test must notice. */
export interface Departure {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const project = resolve(fileURLToPath(new URL('../..', import.meta.url)));

/** `estimateOnline` of sources that depart from the product's. */
export async function withDeparture<T>({ file, from, to }: Departure, work: (run: Run) => Promise<T>): Promise<T> {
  mkdirSync(join(project, 'out'), { recursive: true });
  const out = mkdtempSync(join(project, 'out/departing-'));
  const path = join(project, file);
  const text = readFileSync(path, 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${file} has not one ${from}`);
  try {
    await build({
      ...{ bundle: true, format: 'esm', platform: 'node', packages: 'external', splitting: true },
      absWorkingDir: project,
      entryPoints: { estimateOnline: 'src/fit/online/estimateOnline.ts' },
      outdir: out,
      outExtension: { '.js': '.mjs' },
      logLevel: 'silent',
      plugins: [
        {
          name: 'departure',
          setup: ({ onLoad }) => {
            onLoad({ filter: /\.ts$/ }, loaded =>
              loaded.path === path ? { contents: text.replace(from, () => to), loader: 'ts' } : undefined,
            );
          },
        },
      ],
    });
    const { estimateOnline: departing } = await import(pathToFileURL(join(out, 'estimateOnline.mjs')).href);
    return await work(departing);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
