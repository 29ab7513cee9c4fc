/**
 * `sluice reproduce`: the paper's simulations. Finished runs are stored seed by seed, so that a later run continues
 * where another ended.
 */
import { mkdir, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { writeWhole } from '../../files.ts';
import { ArgumentError } from '../../index.ts';
import {
  codeVersion,
  exhibitByName,
  exhibits,
  type FigureReport,
  type FigureTask,
  figureReport,
  gallery,
  outcomesText,
  type Point,
  runTasks,
} from '../../lab/paper/index.ts';
import { chartPng, columnsToIPC } from '../../sink/index.ts';
import { wholeNumber } from '../flags/parse.ts';
import { progress } from '../render/progress.ts';
import { table } from '../render/text.ts';
import { requireOutputs } from './outputs.ts';

export interface ReproduceFlags {
  readonly seeds: string;
  readonly out: string;
  readonly page?: string;
  readonly threads?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export async function reproduceCommand(names: readonly string[], flags: ReproduceFlags): Promise<void> {
  const isAll = names.length === 0 || names.includes('all');
  const wanted = isAll ? exhibits() : [...new Set(names)].map(exhibitByName);
  const seeds = wholeNumber('--seeds', flags.seeds);
  const processes = flags.threads === undefined ? availableParallelism() : wholeNumber('--threads', flags.threads);
  const { out, page = join(out, 'reproduction.md') } = flags;
  await mkdir(join(out, 'runs'), { recursive: true }).catch(error => {
    throw new ArgumentError(
      `--out ${out} cannot be created: ${error.message}; name a folder that you may write to`,
      'ERR_FILE',
      { file: out },
    );
  });
  await requireOutputs({ outputs: { '--out': join(out, 'runs', 'any'), '--page': page }, data: [] });

  const store = runStore(join(out, 'runs'), await codeVersion());
  const known = new Map<string, readonly Point[]>();
  const missing: FigureTask[] = [];
  const tasksOf = (figure: string): FigureTask[] => Array.from({ length: seeds }, (_, seed) => ({ figure, seed }));
  for (const task of wanted.flatMap(({ name }) => tasksOf(name))) {
    const points = await store.read(task);
    if (points === undefined) missing.push(task);
    else known.set(keyOf(task), points);
  }
  const work = new Map(wanted.map(({ name, work }) => [name, work]));
  // Seed by seed, so that an interrupted run leaves whole figures of fewer seeds; the longest first, so that processes
  // finish together.
  missing.sort((a, b) => a.seed - b.seed || work.get(b.figure)! - work.get(a.figure)!);
  const total = missing.reduce((sum, { figure }) => sum + work.get(figure)!, 0);

  const shown = progress({ quiet: flags.quiet ?? false });
  shown.phase('simulating');
  let done = 0;
  await runTasks(missing, {
    processes,
    onWork: rows => {
      done += rows;
      shown.rows(done, total);
    },
    onDone: async (task, points) => {
      await store.write(task, points);
      known.set(keyOf(task), points);
    },
  });
  shown.end();

  const reports: FigureReport[] = [];
  const writePng = rasteriser();
  for (const figure of wanted) {
    const points = tasksOf(figure.name).map(task => known.get(keyOf(task))!);
    const report = await figureReport(figure, points);
    reports.push(report);
    await writeReport(out, report, writePng);
  }
  const command = `sluice reproduce ${isAll ? 'all' : wanted.map(({ name }) => name).join(' ')} --seeds ${seeds}`;
  await writeWhole(page, `${gallery(reports, relative(dirname(page), out) || '.', command)}\n`);
  process.stdout.write(flags.json ? `${JSON.stringify(reports.map(summary))}\n` : reports.map(render).join('\n'));
}

const keyOf = ({ figure, seed }: FigureTask): string => `${figure}-seed-${seed}`;

/** Points by figure and seed, in files that are valid only for the version of the code that wrote them. */
function runStore(folder: string, code: string) {
  const pathOf = (task: FigureTask): string => join(folder, `${keyOf(task)}.json`);
  return {
    read: async (task: FigureTask): Promise<readonly Point[] | undefined> => {
      const text = await readFile(pathOf(task), 'utf8').catch(() => undefined);
      if (text === undefined) return undefined;
      const kept = parsed(text);
      // JSON has no NaN and writes null for it.
      return kept?.code === code ? kept.points.map(point => ({ ...point, value: point.value ?? NaN })) : undefined;
    },
    write: (task: FigureTask, points: readonly Point[]): Promise<void> =>
      writeWhole(pathOf(task), `${JSON.stringify({ code, ...task, points })}\n`),
  };
}

/** A file that another program has changed counts as missing. */
function parsed(text: string): { readonly code: string; readonly points: readonly Point[] } | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Writes PNG files, and says once why there are none if their packages are not installed. */
function rasteriser(): (path: string, svg: string) => Promise<void> {
  let told = false;
  return async (path, svg) => {
    const png = await chartPng(svg).catch(error => {
      if (error.code !== 'ERR_PEER_MISSING') throw error;
      if (!told) process.stderr.write(`sluice: charts are written as SVG only: ${error.message}\n`);
      told = true;
    });
    if (png !== undefined) await writeWhole(path, png);
  };
}

async function writeReport(
  out: string,
  { figure, cells, charts }: FigureReport,
  writePng: (path: string, svg: string) => Promise<void>,
): Promise<void> {
  const columns = ['reading', 'series', 'x', 'median', 'q25', 'q75', 'seeds'] as const;
  const rows = cells.map(cell => columns.map(name => cell[name]).join(','));
  const path = (suffix: string): string => join(out, `${figure.name}${suffix}`);
  await writeWhole(path('.csv'), `${[columns.join(','), ...rows].join('\n')}\n`);
  await writeWhole(
    path('.arrow'),
    await columnsToIPC(
      Object.fromEntries(columns.map(name => [name, cells.map(cell => cell[name])])) as Record<string, number[]>,
    ),
  );
  for (const [suffix, svg] of [
    ['', charts.primary],
    ['-readings', charts.readings],
  ] as const) {
    await writeWhole(path(`${suffix}.svg`), svg);
    await writePng(path(`${suffix}.png`), svg);
  }
}

const summary = ({ figure, seeds, judgements }: FigureReport) => ({
  figure: figure.name,
  claim: figure.claim.text,
  verdict: judgements[0]!.verdict,
  seeds,
  readings: judgements,
});

const render = ({ figure, judgements }: FigureReport): string =>
  `${figure.name}: ${figure.claim.text}: ${judgements[0]!.verdict}\n${table(
    judgements.map(({ reading, verdict, outcomes }) => [reading, verdict, outcomesText(outcomes)]),
  )}`;
