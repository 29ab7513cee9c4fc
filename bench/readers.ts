/**
 * Sluice's readers of Parquet, Arrow and CSV against libraries, on the same files: `npm run bench:readers [rows]
 * [rounds]`. Every reading is a process of its own, which reads all columns as doubles and times itself from opening
 * the file on; contenders take turns, and medians over the rounds are printed, with ratios to Sluice. Then what each
 * of them makes of difficult files (readers/difficult.ts). The numbers are stored in results.json, and decision 23 is
 * drawn from them.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, execPath, versions } from 'node:process';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { contenders } from './readers/contenders.ts';
import { judgeAll } from './readers/difficult.ts';
import { type BenchFile, makeFiles } from './readers/files.ts';
import { saveResults } from './results.ts';

const rows = Number(argv[2] ?? 1_000_000);
const rounds = Number(argv[3] ?? 3);
const root = fileURLToPath(new URL('..', import.meta.url));
const dist = new URL('../dist/source.js', import.meta.url).href;
const folder = join(tmpdir(), `sluice-readers-${rows}`);

interface Turn {
  readonly seconds: number;
  readonly processor: number;
  readonly peak: number;
  readonly sums: readonly number[];
}

/** Compiled beforehand, so that no compiler counts as a reader's memory; within the package, to find its imports. */
const program = join(root, 'node_modules/.cache/sluice/oneReading.mjs');

function read(name: string, { format, path }: BenchFile): Turn {
  // Into the system's cache, from which the turn before may have driven it.
  readFileSync(path);
  return JSON.parse(execFileSync(execPath, [program, dist, name, format, path], { encoding: 'utf8' }));
}

const middle = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

function measure(file: BenchFile): readonly object[] {
  const names = contenders(dist)
    .filter(({ format }) => format === file.format)
    .map(({ name }) => name)
    .filter(name => !file.hasNulls || !/threads?$/.test(name));
  const turns = new Map(names.map(name => [name, [] as Turn[]]));
  for (let round = 0; round < rounds; round++) for (const name of names) turns.get(name)!.push(read(name, file));
  const expected = String(turns.get('Sluice')![0]!.sums);
  const medians = (name: string) => {
    const of = (part: (turn: Turn) => number): number => middle(turns.get(name)!.map(part));
    return {
      seconds: of(turn => turn.seconds),
      processor: of(turn => turn.processor),
      peak: of(turn => turn.peak),
    };
  };
  const own = medians('Sluice');
  return names.map(name => {
    for (const { sums } of turns.get(name)!)
      if (String(sums) !== expected) throw new Error(`${name} reads other numbers from ${file.path}`);
    const { seconds, processor, peak } = medians(name);
    return {
      file: file.name,
      reader: name,
      seconds: seconds.toFixed(2),
      processor: processor.toFixed(2),
      'peak MB': Math.round(peak / 2 ** 20),
      'time / Sluice': (seconds / own.seconds).toFixed(2),
      'processor / Sluice': (processor / own.processor).toFixed(2),
    };
  });
}

/** Where our own code for each format is; Parquet and Arrow share the codecs. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  parquet: ['src/source/parquet'],
  arrow: ['src/source/arrow'],
  'CSV and NDJSON': ['src/source/text'],
  codecs: ['src/source/codec'],
};

function linesIn(path: string): number {
  if (statSync(path).isDirectory()) return readdirSync(path).reduce((sum, name) => sum + linesIn(join(path, name)), 0);
  return path.endsWith('.ts') ? readFileSync(path, 'utf8').split('\n').length - 1 : 0;
}

buildSync({
  entryPoints: [join(root, 'bench/readers/oneReading.ts')],
  outfile: program,
  bundle: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
});
console.log(
  `${cpus()[0]!.model} x ${cpus().length}, load ${loadavg()[0]!.toFixed(1)}, Node ${versions.node}; ${rows} rows x 20 doubles, ${rounds} rounds`,
);
const table: object[] = [];
for (const file of await makeFiles(folder, rows)) {
  const found = measure(file);
  console.table(found);
  table.push(...found);
}
const lines = Object.fromEntries(
  Object.entries(OWN).map(([part, paths]) => [part, paths.reduce((sum, path) => sum + linesIn(join(root, path)), 0)]),
);
console.table(lines);
const difficult = await judgeAll(dist);
saveResults('readers', { rows, rounds, table, lines, difficult });
