/**
 * The errors of Sluice's default estimates and of its peers, on the same data: `npm run bench:accuracy`. Python draws
 * every sample, writes it as Parquet and fits the peers to it; Sluice reads the file. All measurements are stored in
 * accuracy.json, from which a run continues: peers' cells are kept, Sluice's are measured again when its sources have
 * changed. Ends by writing docs/benchmarks.md from that file and results.json.
 *
 *   --seeds K       for most cells; 20 unless given
 *   --quick         3 seeds and small cells only, no timings, few replications
 *   --only TEXT     scenarios whose names contain this text
 *   --rows N        settings of at most this many rows
 *   --part NAME     only cells (errors), intervals (coverage) or timings
 *   --peers         peers' cells only
 *   --render        only write the document, from stored results
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { execPath, versions } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  type Accuracy,
  type Cell,
  type Coverage,
  cellsAt,
  loadAccuracy,
  placeOf,
  put,
  saveAccuracy,
} from './accuracy/cells.ts';
import { asItComes, byTheorem, type Found, privately, privatelyByTheorem } from './accuracy/contenders.ts';
import { benchmarksDocument } from './accuracy/document.ts';
import { type Python, program, python, type Sample } from './accuracy/python.ts';
import {
  DELTA,
  isPrivate,
  methodsOf,
  OURS,
  PAPER,
  PLAIN,
  ROBUST,
  SCENARIOS,
  type Setting,
  scenarioNamed,
  settingsFor,
} from './accuracy/settings.ts';

const { values: flags } = parseArgs({
  options: {
    seeds: { type: 'string' },
    only: { type: 'string', default: '' },
    rows: { type: 'string', default: 'Infinity' },
    quick: { type: 'boolean', default: false },
    part: { type: 'string' },
    peers: { type: 'boolean', default: false },
    render: { type: 'boolean', default: false },
  },
});
const { quick, part } = flags;
const isWanted = (name: 'cells' | 'intervals' | 'timings'): boolean =>
  flags.peers ? name === 'cells' : part === undefined || part === name;
const seeds = Number(flags.seeds ?? (quick ? 3 : 20));
const project = fileURLToPath(new URL('..', import.meta.url));
const rounded = (value: number): number => Number(value.toPrecision(4));

/** Rooms that do not affect estimates. */
const BESIDE = ['audit', 'cli', 'experiment', 'report', 'sink'];

/** Digest of the sources that affect estimates: a cell measured with other sources says nothing about these. */
function sourcesDigest(): string {
  const folder = join(project, 'src');
  const isBeside = (path: string): boolean => BESIDE.includes(relative(folder, path).split(sep)[0]!);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .filter(path => !isBeside(path));
  const hash = createHash('sha256');
  for (const file of files.sort()) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

interface Bench {
  readonly peers: Python;
  readonly file: string;
  readonly code: string;
}

const isOurs = (method: string): boolean => method.startsWith(OURS);

/** The cell so far, unless it was measured with other sources. */
function begun(setting: Setting, method: string, code: string, cells: readonly Cell[]): Cell {
  const own = isOurs(method) ? code : null;
  const known = cellsAt(cells, placeOf(setting)).find(cell => cell.method === method && cell.code === own);
  return known ?? { ...placeOf(setting), method, code: own, errors: [], intercepts: [], seconds: [] };
}

/** Runs what is missing of a setting; samples are drawn for seeds that some method lacks. */
async function measure(bench: Bench, setting: Setting, known: readonly Cell[]): Promise<readonly Cell[]> {
  const wanted = methodsOf(setting);
  const cells = new Map(
    [...wanted.keys()]
      .filter(method => !(flags.peers && isOurs(method)))
      .map(method => [method, begun(setting, method, bench.code, known)]),
  );
  for (let seed = 0; seed < setting.seeds; seed++) {
    const missing = [...wanted].filter(
      ([method, count]) => seed < count && (cells.get(method)?.errors.length ?? Infinity) <= seed,
    );
    if (missing.length === 0) continue;
    const { scenario, rows, features } = setting;
    const sample = await bench.peers.draw({
      scenario: scenario.name,
      rows,
      features,
      seed,
      path: bench.file,
    });
    for (const [method] of missing) {
      cells.set(method, await oneMore(bench, setting, sample, seed, cells.get(method)!));
    }
  }
  return [...cells.values()];
}

async function oneMore(bench: Bench, setting: Setting, sample: Sample, seed: number, cell: Cell): Promise<Cell> {
  const found = isOurs(cell.method)
    ? await ours(bench.file, setting, sample, seed, cell.method)
    : await bench.peers.fit({
        method: cell.method,
        seed,
        // scikit-learn's fits are for comparison, without noise.
        ...(setting.epsilon !== null && !cell.method.startsWith('sklearn')
          ? { epsilon: setting.epsilon, delta: DELTA }
          : {}),
      });
  const score = 'failed' in found ? null : await bench.peers.score(found.theta);
  const and = (values: readonly (number | null)[], value = Number.NaN): (number | null)[] => [
    ...values,
    Number.isFinite(value) ? rounded(value) : null,
  ];
  return {
    ...cell,
    errors: and(cell.errors, score?.error),
    intercepts: and(cell.intercepts, score?.intercept),
    seconds: and(cell.seconds, 'failed' in found ? undefined : found.seconds),
    ...('failed' in found ? { failed: found.failed } : {}),
  };
}

/** A refusal is a result, as it is for a peer. */
async function ours(path: string, setting: Setting, { bounds }: Sample, seed: number, method: string) {
  const start = performance.now();
  try {
    const { theta } = await contender(path, setting, bounds, seed, method);
    return { theta, seconds: (performance.now() - start) / 1000 };
  } catch (error) {
    return { failed: (error as Error).message.slice(0, 200) };
  }
}

function contender(
  path: string,
  setting: Setting,
  bounds: Sample['bounds'],
  seed: number,
  method: string,
): Promise<Found> {
  if (bounds === null) return method === PAPER ? byTheorem(path, setting) : asItComes(path);
  return (method === PAPER ? privatelyByTheorem : privately)(path, setting, bounds, seed);
}

/**
 * Scenarios without spoilt rows, where intervals should have their nominal coverage; those of private fits claim it for
 * features that fill their bounds.
 */
const covered = SCENARIOS.filter(({ kind, spoilt }) => kind === 'linear' && spoilt === undefined)
  .map(({ name }) => ({ name, epsilon: null as number | null, replications: 1000 }))
  .concat(
    SCENARIOS.filter(isPrivate).flatMap(({ name }) => [0.1, 1].map(epsilon => ({ name, epsilon, replications: 200 }))),
  );

async function coverage(
  { peers, file, code }: Bench,
  scenario: string,
  epsilon: number | null,
  replications: number,
): Promise<Coverage> {
  const place = { scenario, rows: 10_000, features: 5, ...(epsilon !== null && { epsilon }) };
  const setting = {
    ...place,
    epsilon,
    scenario: scenarioNamed(scenario),
    seeds: replications,
    patient: false,
  };
  let [slopes, intercept] = [0, 0];
  for (let seed = 0; seed < replications; seed++) {
    // Different seeds from those of the cells.
    const { rows, features } = place;
    const drawn = { scenario, rows, features, seed: 1000 + seed, path: file };
    const { truth, bounds } = await peers.draw(drawn);
    const { intervals } = await contender(file, setting, bounds, seed, OURS);
    if (intervals === undefined) return { ...place, code, replications, covered: null };
    const holds = intervals.map(([least, most], j) => least <= truth[j]! && truth[j]! <= most);
    slopes += holds.slice(0, -1).filter(Boolean).length / place.features;
    intercept += holds.at(-1) ? 1 : 0;
  }
  const share = (count: number): number => rounded(count / replications);
  return { ...place, code, replications, covered: { slopes: share(slopes), intercept: share(intercept) } };
}

/** In seconds; longer commands are timed once. */
const LONG = 20;

/** Whole processes, from the same Parquet file to coefficients. */
async function timings(
  { peers, file, code }: Bench,
  kept: Accuracy['timings'],
  keep: (timings: Accuracy['timings']) => void,
): Promise<void> {
  const place = { scenario: 't(3) noise', rows: 1_000_000, features: 20 };
  const cli = [execPath, join(project, 'dist/cli/main.js'), 'fit', file, '--target', 'y', '--quiet'];
  const commands = new Map([[OURS, cli]]);
  // Theil-Sen needs more memory for this many rows than the machine has.
  for (const peer of [PLAIN, 'sklearn SGD', ...ROBUST.filter(name => name !== 'sklearn TheilSen')]) {
    commands.set(peer, [peers.command, program, 'one', peer, file]);
  }
  const missing = [...commands].filter(
    ([method]) => !kept.some(item => item.method === method && item.code === (isOurs(method) ? code : null)),
  );
  if (missing.length === 0) return;
  await peers.draw({ ...place, seed: 0, path: file });
  let found = kept;
  for (const [method, command] of missing) {
    const turns = [];
    do turns.push(JSON.parse(execFileSync(peers.command, [program, 'time', ...command], { encoding: 'utf8' })));
    while (turns.length < 3 && turns[0].seconds < LONG);
    found = put(found, {
      ...place,
      method,
      code: isOurs(method) ? code : null,
      seconds: turns.map(({ seconds }) => rounded(seconds)),
      peakMegabytes: Math.round(Math.max(...turns.map(({ peak }) => peak)) / 2 ** 20),
    });
    keep(found);
  }
}

async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-accuracy-'));
  const peers = await python();
  const bench: Bench = { peers, file: join(folder, 'sample.parquet'), code: sourcesDigest() };
  let known: Accuracy = {
    ...loadAccuracy(),
    measured: new Date().toISOString().slice(0, 10),
    machine: `${cpus()[0]!.model} x ${cpus().length}, Node ${versions.node}`,
    versions: peers.versions,
  };
  const keep = (more: Partial<Accuracy>): void => {
    known = { ...known, ...more };
    saveAccuracy(known);
  };
  try {
    for (const setting of settingsFor({ seeds, quick })) {
      if (!isWanted('cells') || !setting.scenario.name.includes(flags.only)) continue;
      if (setting.rows > Number(flags.rows)) continue;
      const { scenario, rows, features, epsilon } = setting;
      console.log(`${scenario.name}, n = ${rows}, p = ${features}${epsilon === null ? '' : `, eps = ${epsilon}`}`);
      const cells = await measure(bench, setting, known.cells);
      keep({ cells: cells.reduce<Cell[]>((all, cell) => put(all, cell), [...known.cells]) });
    }
    for (const { name, epsilon, ...most } of covered) {
      if (!isWanted('intervals') || !name.includes(flags.only)) continue;
      const replications = quick ? 20 : most.replications;
      const old = known.coverage.find(
        item => item.scenario === name && item.code === bench.code && (item.epsilon ?? null) === epsilon,
      );
      if ((old?.replications ?? 0) >= replications) continue;
      console.log(`intervals, ${name}${epsilon === null ? '' : `, eps = ${epsilon}`}`);
      keep({ coverage: put(known.coverage, await coverage(bench, name, epsilon, replications)) });
    }
    if (!quick && isWanted('timings')) await timings(bench, known.timings, timings => keep({ timings }));
  } finally {
    peers.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (!flags.render) await run();
const results = JSON.parse(readFileSync(join(project, 'bench/results.json'), 'utf8'));
writeFileSync(join(project, 'docs/benchmarks.md'), benchmarksDocument(loadAccuracy(), results));
