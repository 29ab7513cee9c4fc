/**
 * From a file to the sums of one gradient: `npm run bench:files [rows] [rounds]`. Every contender is a process of its own that times itself from the
 * opening of the file on; contenders take turns, a round each. Medians over rounds, with the spread between quartiles.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
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
const sluice = (task: string, kind: string, threads: number) => (): Turn =>
  ask(execPath, [join(here, 'oneRun.mjs'), task, file(kind), String(threads)]);
const peer =
  (task: string, kind: string, ...rest: string[]) =>
  (): Turn =>
    ask(python, [join(here, 'endToEnd.py'), task, file(kind), ...rest]);

function makeFiles(): void {
  if (existsSync(file('zstd.parquet'))) return;
  mkdirSync(folder, { recursive: true });
  console.log(`writing ${rows} rows of 21 columns to ${folder}`);
  execFileSync(python, [join(here, 'endToEnd.py'), 'make', folder, String(rows)], { stdio: 'inherit' });
}

const median = (values: readonly number[], share = 0.5): number =>
  [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1) + 0.5)]!;

makeFiles();
console.log(
  `${cpus()[0]!.model} x ${cpus().length}, load ${loadavg()[0]!.toFixed(1)}, Node ${versions.node}; ${rows} rows x 20 features, ${rounds} rounds`,
);
const contenders: Readonly<Record<string, () => Turn>> = {
  'Arrow: raw read': () => ask(execPath, [join(here, 'oneRun.mjs'), 'raw', file('arrow')]),
  'Arrow: sluice as-is, 2 threads': sluice('as-is', 'arrow', 2),
  'Arrow: sluice shuffled, 2 threads': sluice('shuffled', 'arrow', 2),
  'Arrow: pyarrow + numpy': peer('numpy', 'arrow'),
  'snappy: sluice as-is, 2 threads': sluice('as-is', 'snappy.parquet', 2),
  'snappy: DuckDB, 2 threads': peer('duckdb', 'snappy.parquet', '2'),
  'snappy: pyarrow + numpy': peer('numpy', 'snappy.parquet'),
  'zstd: sluice as-is, 2 threads': sluice('as-is', 'zstd.parquet', 2),
  'zstd: DuckDB, 2 threads': peer('duckdb', 'zstd.parquet', '2'),
  'zstd: pyarrow + numpy': peer('numpy', 'zstd.parquet'),
  'snappy: scikit-learn SGD, one epoch': peer('sgd', 'snappy.parquet'),
};
const turns = new Map<string, Turn[]>();
for (let round = 0; round < rounds; round++) {
  for (const [name, run] of Object.entries(contenders)) turns.set(name, [...(turns.get(name) ?? []), run()]);
}
const table = [...turns].map(([name, found]) => {
  const seconds = found.map(turn => turn.seconds);
  return {
    name,
    seconds: median(seconds),
    spread: median(seconds, 0.75) - median(seconds, 0.25),
    rowsPerSecond: rows / median(seconds),
    peakMegabytes: median(found.map(turn => turn.peak)) / 2 ** 20,
  };
});
const of = (name: string): number => table.find(row => row.name === name)!.seconds;
const needed = statSync(file('arrow')).size;
const ratios = {
  'Arrow as-is / raw read': of('Arrow: raw read') / of('Arrow: sluice as-is, 2 threads'),
  'Arrow shuffled / raw read': of('Arrow: raw read') / of('Arrow: sluice shuffled, 2 threads'),
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
