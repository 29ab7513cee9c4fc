/**
 * From a file to the sums of one gradient, and to a fit: `npm run bench:files [rows] [rounds]`. Every contender is a
 * separate process that times itself from opening the file on; contenders take turns within a round. Medians over
 * rounds, with the interquartile range. Then the peak memory over files of a tenth, a half and twice as many rows,
 * which should be the same.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, execPath, versions } from 'node:process';
import { fileURLToPath } from 'node:url';
import { pythonWith } from './peers.ts';
import { saveResults } from './results.ts';

const rows = Number(argv[2] ?? 10_000_000);
const rounds = Number(argv[3] ?? 5);
const here = fileURLToPath(new URL('.', import.meta.url));
const python = pythonWith(['numpy', 'pyarrow', 'duckdb', 'pandas', 'scikit-learn']);
const folder = join(tmpdir(), `sluice-bench-${rows}`);
const file = (kind: string): string => join(folder, `data.${kind}`);

interface Turn {
  readonly seconds: number;
  readonly peak: number;
}

const ask = (command: string, args: readonly string[]): Turn =>
  JSON.parse(execFileSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 26 }));
const runSluice = (task: string, path: string, threads: number): Turn =>
  ask(execPath, [join(here, 'oneRun.mjs'), task, path, String(threads)]);
const runPython = (...args: readonly (string | number)[]): void => {
  execFileSync(python, [join(here, 'endToEnd.py'), ...args.map(String)], { stdio: 'inherit' });
};

interface Contender {
  readonly rows: number;
  run(): Turn;
}

/** Contenders need memory, which evicts files from the cache: each one first reads its file into it. */
function warmed(kind: string, run: () => Turn): Turn {
  runSluice('raw', file(kind), 1);
  return run();
}
const sluice = (task: string, kind: string, threads: number): Contender => ({
  rows,
  run: () => warmed(kind, () => runSluice(task, file(kind), threads)),
});
const peer = (task: string, kind: string, ...rest: readonly number[]): Contender => ({
  rows,
  run: () => warmed(kind, () => ask(python, [join(here, 'endToEnd.py'), task, file(kind), ...rest.map(String)])),
});
/**
 * scikit-learn holds all rows in memory, several times over, and its Huber fit makes up to a hundred passes over them
 * or more.
 */
const huberRows = Math.min(rows, 1_000_000);

function makeFiles(): void {
  if (existsSync(file('zstd.parquet'))) return;
  mkdirSync(folder, { recursive: true });
  console.log(`writing ${rows} rows of 21 columns to ${folder}`);
  runPython('make', folder, rows);
}

const median = (values: readonly number[], share = 0.5): number =>
  [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1) + 0.5)]!;

makeFiles();
console.log(
  `${cpus()[0]!.model} x ${cpus().length}, load ${loadavg()[0]!.toFixed(1)}, Node ${versions.node}; ${rows} rows x 20 features, ${rounds} rounds`,
);
const contenders: Readonly<Record<string, Contender>> = {
  'Arrow: raw read': sluice('raw', 'arrow', 1),
  'Arrow: sluice as-is, 2 threads': sluice('as-is', 'arrow', 2),
  'Arrow: sluice shuffled, squared, 2 threads': sluice('shuffled squared', 'arrow', 2),
  'Arrow: sluice shuffled, pseudo-Huber, 2 threads': sluice('shuffled robust', 'arrow', 2),
  'Arrow: pyarrow + numpy': peer('numpy', 'arrow'),
  'snappy: sluice as-is, 2 threads': sluice('as-is', 'snappy.parquet', 2),
  'snappy: DuckDB, 2 threads': peer('duckdb', 'snappy.parquet', 2),
  'snappy: pyarrow + numpy': peer('numpy', 'snappy.parquet'),
  'zstd: sluice as-is, 2 threads': sluice('as-is', 'zstd.parquet', 2),
  'zstd: DuckDB, 2 threads': peer('duckdb', 'zstd.parquet', 2),
  'zstd: pyarrow + numpy': peer('numpy', 'zstd.parquet'),
  'snappy: sluice fit, 2 threads': sluice('fit', 'snappy.parquet', 2),
  'snappy: scikit-learn SGD, one epoch': peer('sgd', 'snappy.parquet', rows),
  [`snappy: scikit-learn Huber fit, first ${huberRows} rows`]: {
    ...peer('huber', 'snappy.parquet', huberRows),
    rows: huberRows,
  },
};
const turns = new Map<string, Turn[]>();
for (let round = 0; round < rounds; round++) {
  for (const [name, { run }] of Object.entries(contenders)) turns.set(name, [...(turns.get(name) ?? []), run()]);
}
const table = [...turns].map(([name, found]) => {
  const seconds = found.map(turn => turn.seconds);
  return {
    name,
    seconds: median(seconds),
    spread: median(seconds, 0.75) - median(seconds, 0.25),
    rowsPerSecond: contenders[name]!.rows / median(seconds),
    peakMegabytes: median(found.map(turn => turn.peak)) / 2 ** 20,
  };
});
const of = (name: string): number => table.find(row => row.name === name)!.seconds;
const needed = statSync(file('arrow')).size;
const ratios = {
  'Arrow as-is / raw read': of('Arrow: raw read') / of('Arrow: sluice as-is, 2 threads'),
  'Arrow shuffled, squared / raw read': of('Arrow: raw read') / of('Arrow: sluice shuffled, squared, 2 threads'),
  'Arrow shuffled, pseudo-Huber / raw read':
    of('Arrow: raw read') / of('Arrow: sluice shuffled, pseudo-Huber, 2 threads'),
  'snappy / DuckDB': of('snappy: DuckDB, 2 threads') / of('snappy: sluice as-is, 2 threads'),
  'zstd / DuckDB': of('zstd: DuckDB, 2 threads') / of('zstd: sluice as-is, 2 threads'),
};
console.table(
  table.map(({ name, seconds, spread, rowsPerSecond, peakMegabytes }) => ({
    name,
    seconds: seconds.toFixed(2),
    spread: spread.toFixed(2),
    'M rows/s': (rowsPerSecond / 1e6).toFixed(2),
    'peak MB': peakMegabytes.toFixed(0),
  })),
);
console.table(Object.fromEntries(Object.entries(ratios).map(([name, ratio]) => [name, ratio.toFixed(2)])));
saveResults('endToEnd', { rows, rounds, arrowBytes: needed, table, ratios });

/** Peak memory of a run over `count` rows; its file exists only meanwhile. */
function peaksOver(count: number) {
  const path = join(folder, `memory-${count}.arrow`);
  try {
    runPython('make-arrow', path, count);
    const peakOf = (task: string): number =>
      Math.max(...Array.from({ length: rounds }, () => runSluice(task, path, 2).peak)) / 2 ** 20;
    return { rows: count, asIsMegabytes: peakOf('as-is'), shuffledMegabytes: peakOf('shuffled robust') };
  } finally {
    rmSync(path, { force: true });
  }
}

const memory = [0.1, 0.5, 2].map(share => peaksOver(Math.ceil(share * rows)));
console.table(
  memory.map(({ rows, asIsMegabytes, shuffledMegabytes }) => ({
    rows,
    'as-is, peak MB': asIsMegabytes.toFixed(0),
    'shuffled, peak MB': shuffledMegabytes.toFixed(0),
  })),
);
saveResults('memory', { features: 20, rounds, table: memory });
