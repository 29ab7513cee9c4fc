/**
 * The speed of block sums and their median: `npx tsx bench/kernel.ts [rounds] [large,small,median]`. Contenders take
 * turns, so that other load on the machine affects all of them alike; medians over rounds are printed and stored in
 * results.json. Rates count every value once.
 */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, exit, versions } from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type BlockRequest, type BlockSummer, blockSummer } from '../src/engine/kernel/blockSummer.ts';
import { wasmSummer } from '../src/engine/kernel/wasmSummer.ts';
import { localEngine } from '../src/engine/local/localEngine.ts';
import { normal } from '../src/math/random/normal.ts';
import { uniformBetween } from '../src/math/random/random.ts';
import { seeded } from '../src/math/random/seeded.ts';
import { arithmeticIn } from '../src/math/wasm/webAssembly.ts';
import { geometricMedian } from '../src/method/aggregate/geometricMedian.ts';
import { logistic } from '../src/method/loss/logistic.ts';
import { pseudoHuber } from '../src/method/loss/pseudoHuber.ts';
import { squared } from '../src/method/loss/squared.ts';
import { arenaOf, columnArena } from '../src/sample/arena.ts';
import type { SampleBatch } from '../src/sample/sampleBatch.ts';
import { compile } from '../tools/compile.ts';
import { saveResults } from './results.ts';

const ROUNDS = Number(argv[2] ?? 15);
const PARTS = (argv[3] ?? 'large,small,median').split(',');
/** Values per sample: 320 MB, more than any cache holds. */
const VALUES = 40_000_000;
const LOSSES = { squared: squared(), logistic: logistic(), 'pseudo-huber': pseudoHuber(0.3) };

/** Seconds of one turn. */
type Contender = () => number | Promise<number>;

const parts = { large, small, median };

async function main(): Promise<void> {
  const numpy = startNumpy();
  const machine = `${cpus()[0]!.model} x ${cpus().length}, load ${loadavg()[0]!.toFixed(1)}`;
  console.log(`${machine}, Node ${versions.node}, numpy ${numpy.version}, ${ROUNDS} rounds`);
  for (const [name, part] of Object.entries(parts)) {
    if (PARTS.includes(name)) saveResults(`kernel, ${name}`, { rounds: ROUNDS, table: await part(numpy) });
  }
  numpy.end();
}

async function large(numpy: Numpy): Promise<readonly object[]> {
  const table: object[] = [];
  console.log("\nOut of cache, 4 blocks: GB/s (quartiles), and the kernel's rate over that of its peers");
  const header = ['features', 'loss', 'read', '1 thread', '2 threads', 'numpy', 'numpy tiled', 'reference'];
  printRow([...header, '1 / read', '2 / read', '1 / numpy', '2 / numpy', '1 / tiled']);
  const one = localEngine({ threads: 1 });
  const two = localEngine({ threads: 2 });
  const readBinary = Buffer.from(await compile(READ)).toString('base64');
  for (const features of [5, 20, 100]) {
    const rows = Math.floor(VALUES / features / 4) * 4;
    const sample = makeSample(rows, features);
    await numpy.ask({ make: { rows, features } });
    const read = reader(readBinary, sample);
    for (const [name, loss] of Object.entries(LOSSES)) {
      const request = { loss, at: thetaOf(features), blocks: 4, rowsPerBlock: rows / 4 };
      const times = await takeTurns({
        read,
        one: () => timeSum(one.summer, request, sample),
        two: () => timeSum(two.summer, request, sample),
        numpy: () => numpy.time({ time: 1, loss: name, blocks: 4, tile: 0 }),
        tiled: () => numpy.time({ time: 1, loss: name, blocks: 4, tile: 4096 }),
        reference: () => timeSum(blockSummer, request, sample),
      });
      const gigabytes = 8e-9 * rows * (features + 1);
      const rates = ratesOf(times, seconds => gigabytes / seconds);
      const ratios = {
        '1 / read': ratio(times.read, times.one),
        '2 / read': ratio(times.read, times.two),
        '1 / numpy': ratio(times.numpy, times.one),
        '2 / numpy': ratio(times.numpy, times.two),
        '1 / tiled': ratio(times.tiled, times.one),
      };
      printRow([String(features), name, ...shownOf(rates), ...Object.values(ratios).map(r => r.toFixed(2))]);
      table.push({ features, loss: name, gigabytesPerSecond: mediansOf(rates), ratios });
    }
  }
  await two.close();
  return table;
}

async function small(numpy: Numpy): Promise<readonly object[]> {
  const table: object[] = [];
  console.log(
    '\n1,000 rows x 10 features: thousand calls/s (quartiles), a call being a summer, one batch and its sums',
  );
  printRow(['blocks', 'loss', '1 thread', 'numpy', 'reference', '1 / numpy']);
  const sample = makeSample(1000, 10);
  await numpy.ask({ make: { rows: 1000, features: 10 } });
  for (const blocks of [1, 4, 31]) {
    for (const [name, loss] of Object.entries(LOSSES)) {
      const request = { loss, at: thetaOf(10), blocks, rowsPerBlock: Math.floor(1000 / blocks) };
      const times = await takeTurns({
        one: () => timeSum(wasmSummer, request, sample, 2000),
        numpy: () => numpy.time({ time: 2000, loss: name, blocks, tile: 0 }),
        reference: () => timeSum(blockSummer, request, sample, 200),
      });
      const rates = ratesOf(times, seconds => 1e-3 / seconds);
      const ratios = { '1 / numpy': ratio(times.numpy, times.one) };
      printRow([String(blocks), name, ...shownOf(rates), ratios['1 / numpy'].toFixed(2)]);
      table.push({ blocks, loss: name, thousandCallsPerSecond: mediansOf(rates), ratios });
    }
  }
  return table;
}

async function median(): Promise<readonly object[]> {
  console.log('\nGeometric median of 31 points x 10: microseconds (quartiles)');
  const random = seeded(1, 'points');
  const clouds = Array.from({ length: 200 }, () => Float64Array.from({ length: 310 }, () => normal(random)));
  const { aggregate } = geometricMedian();
  const times = await takeTurns({
    median: () =>
      time(() => {
        for (const sums of clouds) aggregate({ sums, blocks: 31, rowsPerBlock: 32, privacy: 'raw' });
      }),
  });
  const microseconds = ratesOf(times, seconds => (1e6 * seconds) / clouds.length);
  console.log(...shownOf(microseconds));
  return [{ points: 31, features: 10, microseconds: mediansOf(microseconds) }];
}

function makeSample(rows: number, features: number): SampleBatch {
  const random = seeded(1, 'bench');
  const { columns, target } = columnArena({ features, capacity: rows, slots: 1 }).slots[0]!;
  // One column is drawn and the others are rotations of it: values matter little, and drawing all takes a minute.
  for (let i = 0; i < rows; i++) columns[0]![i] = uniformBetween(random, -1, 1);
  columns.forEach((column, j) => {
    const shift = Math.floor((j * rows) / features);
    column.set(columns[0]!.slice(shift));
    column.set(columns[0]!.slice(0, shift), rows - shift);
  });
  for (let i = 0; i < rows; i++) target[i] = random.word() & 1;
  return { rows, columns, target };
}

const thetaOf = (features: number): Float64Array =>
  Float64Array.from({ length: features }, (_, j) => Math.sin(j + 1) / 4);

function time(work: () => void): number {
  const start = performance.now();
  work();
  return (performance.now() - start) / 1000;
}

function timeSum(
  make: (request: BlockRequest) => BlockSummer,
  request: BlockRequest,
  sample: SampleBatch,
  calls = 1,
): number {
  const sum = (): void => {
    for (let i = 0; i < calls; i++) {
      const summer = make(request);
      summer.add(sample);
      summer.finish();
    }
  };
  return time(sum) / calls;
}

/** The upper bound: every byte of the sample loaded once, and added to four sums. */
const READ = `
export function read(from: usize, end: usize): f64 {
  let a = f64x2.splat(0), b = f64x2.splat(0), c = f64x2.splat(0), d = f64x2.splat(0);
  for (; from < end; from += 64) {
    a = f64x2.add(a, v128.load(from));
    b = f64x2.add(b, v128.load(from, 16));
    c = f64x2.add(c, v128.load(from, 32));
    d = f64x2.add(d, v128.load(from, 48));
  }
  const sum = f64x2.add(f64x2.add(a, b), f64x2.add(c, d));
  return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
}`;

function reader(binary: string, { columns, target }: SampleBatch): Contender {
  const { memory } = arenaOf(target)!;
  const { read } = arithmeticIn<{ read(from: number, end: number): number }>(binary, memory);
  const end = target.byteOffset + target.byteLength - (target.byteLength % 64);
  return () => time(() => read(columns[0]!.byteOffset, end));
}

interface Numpy {
  readonly version: string;
  ask(request: object): Promise<string>;
  time(request: object): Promise<number>;
  end(): void;
}

function startNumpy(): Numpy {
  const folder = join(tmpdir(), 'sluice-bench-venv');
  const python = join(folder, 'bin', 'python');
  if (!existsSync(python)) execFileSync('python3', ['-m', 'venv', folder], { stdio: 'inherit' });
  const ask = (...args: string[]): string => execFileSync(python, args, { encoding: 'utf8' }).trim();
  const printVersion = ['-c', 'import numpy; print(numpy.__version__)'] as const;
  let version: string;
  try {
    version = ask(...printVersion);
  } catch {
    ask('-m', 'pip', 'install', '--quiet', 'numpy');
    version = ask(...printVersion);
  }
  const script = fileURLToPath(new URL('kernel.py', import.meta.url));
  const child: ChildProcessWithoutNullStreams = spawn(python, [script], {
    env: { ...process.env, OPENBLAS_NUM_THREADS: '1' },
  });
  child.stderr.pipe(process.stderr);
  child.once('error', error => {
    console.error(error);
    exit(1);
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const talk = async (request: object): Promise<string> => {
    child.stdin.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await answers.next();
    if (done) throw new Error('numpy ended');
    return value;
  };
  return {
    version,
    ask: talk,
    time: async request => Number(await talk(request)),
    end: () => child.stdin.end(),
  };
}

/** The seconds of every turn, after two warm-up turns. */
async function takeTurns<K extends string>(contenders: Record<K, Contender>): Promise<Record<K, number[]>> {
  const names = Object.keys(contenders) as K[];
  const times = Object.fromEntries(names.map(name => [name, [] as number[]])) as Record<K, number[]>;
  for (let round = -2; round < ROUNDS; round++) {
    for (const name of names) {
      const seconds = await contenders[name]();
      if (round >= 0) times[name].push(seconds);
    }
  }
  return times;
}

const quantile = (sample: readonly number[], share: number): number =>
  sample.toSorted((a, b) => a - b)[Math.round(share * (sample.length - 1))]!;

type Rates = Readonly<Record<string, readonly number[]>>;

const ratesOf = (times: Rates, rateOf: (seconds: number) => number): Rates =>
  Object.fromEntries(Object.entries(times).map(([name, seconds]) => [name, seconds.map(rateOf)]));

const mediansOf = (rates: Rates): Record<string, number> =>
  Object.fromEntries(Object.entries(rates).map(([name, found]) => [name, quantile(found, 0.5)]));

const shownOf = (rates: Rates): string[] => Object.values(rates).map(show);

const show = (rates: readonly number[]): string => {
  const [low, middle, high] = [0.25, 0.5, 0.75].map(share => quantile(rates, share).toFixed(1));
  return `${middle} (${low}-${high})`;
};

/** The median over rounds of one's time over the other's. */
const ratio = (times: readonly number[], others: readonly number[]): number =>
  quantile(
    times.map((seconds, round) => seconds / others[round]!),
    0.5,
  );

const printRow = (cells: readonly string[]): void => console.log(cells.map(cell => cell.padEnd(17)).join(''));

await main();
