/**
 * How fast block sums are: `npx tsx bench/kernel.ts [rounds]`. Contenders take turns, a round each, so that what else the machine does
 * falls on all of them; medians over rounds are printed, with the spread between quartiles. Rates count every value once.
 */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, exit, versions } from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { localEngine } from '../src/engine/localEngine.ts';
import { type BlockRequest, type BlockSummer, blockSummer } from '../src/gradient/blockSummer.ts';
import { compile } from '../src/gradient/wasm/assembly/compile.ts';
import { wasmSummer } from '../src/gradient/wasm/wasmSummer.ts';
import { logistic } from '../src/loss/logistic.ts';
import { pseudoHuber } from '../src/loss/pseudoHuber.ts';
import { squared } from '../src/loss/squared.ts';
import { uniformBetween } from '../src/random/random.ts';
import { seeded } from '../src/random/seeded.ts';
import { arenaOf, columnArena } from '../src/sample/arena.ts';
import type { SampleBatch } from '../src/sample/sampleBatch.ts';
import { Instance, Module } from '../src/sample/webAssembly.ts';

const ROUNDS = Number(argv[2] ?? 15);
/** Values per sample: 320 MB, beyond any cache. */
const VALUES = 40_000_000;
const LOSSES = { squared: squared(), logistic: logistic(), 'pseudo-huber': pseudoHuber(0.3) };
type LossName = keyof typeof LOSSES;

/** Seconds of one turn. */
type Contender = () => number | Promise<number>;

async function main(): Promise<void> {
  const numpy = startNumpy();
  const one = localEngine({ threads: 1 });
  const two = localEngine({ threads: 2 });
  const readModule = new Module(await compile(READ));
  console.log(
    `${cpus()[0]!.model} x ${cpus().length}, load ${loadavg()[0]!.toFixed(1)}, Node ${versions.node}, numpy ${numpy.version}`,
  );

  console.log(
    `\nOut of cache, 4 blocks, ${ROUNDS} rounds: GB/s (spread), and the kernel's ratio to its peers`,
  );
  const header = ['features', 'loss', 'read', '1 thread', '2 threads', 'numpy', 'numpy tiled', 'reference'];
  printRow([...header, '1/read', '2/read', '1/numpy', '2/numpy', '1/tiled']);
  for (const features of [5, 20, 100]) {
    const rows = Math.floor(VALUES / features / 4) * 4;
    const sample = makeSample(rows, features);
    await numpy.ask({ make: { rows, features } });
    const read = reader(readModule, sample);
    for (const loss of Object.keys(LOSSES) as LossName[]) {
      const request = { loss: LOSSES[loss], at: thetaOf(features), blocks: 4, rowsPerBlock: rows / 4 };
      const times = await takeTurns(
        {
          read,
          one: () => timeSum(one.summer, request, sample),
          two: () => timeSum(two.summer, request, sample),
          numpy: () => numpy.time({ time: 1, loss, blocks: 4, tile: 0 }),
          tiled: () => numpy.time({ time: 1, loss, blocks: 4, tile: 4096 }),
          reference: () => timeSum(blockSummer, request, sample),
        },
        ROUNDS,
      );
      const rates = Object.values(times).map(seconds =>
        show(seconds.map(s => (8e-9 * rows * (features + 1)) / s)),
      );
      const ratio = (a: keyof typeof times, b: keyof typeof times): string =>
        (median(times[b]) / median(times[a])).toFixed(2);
      printRow([
        String(features),
        loss,
        ...rates,
        ...[
          ratio('one', 'read'),
          ratio('two', 'read'),
          ratio('one', 'numpy'),
          ratio('two', 'numpy'),
          ratio('one', 'tiled'),
        ],
      ]);
    }
  }

  console.log(`\n1,000 rows x 10 features, ${ROUNDS} rounds: thousand calls/s (spread)`);
  printRow(['blocks', 'loss', '1 thread', 'numpy', 'reference', '1/numpy']);
  const small = makeSample(1000, 10);
  await numpy.ask({ make: { rows: 1000, features: 10 } });
  for (const blocks of [1, 4, 31]) {
    for (const loss of Object.keys(LOSSES) as LossName[]) {
      const request = {
        loss: LOSSES[loss],
        at: thetaOf(10),
        blocks,
        rowsPerBlock: Math.floor(1000 / blocks),
      };
      const calls = 2000;
      const times = await takeTurns(
        {
          one: () => timeSum(wasmSummer, request, small, calls),
          numpy: () => numpy.time({ time: calls / 10, loss, blocks, tile: 0 }),
          reference: () => timeSum(blockSummer, request, small, calls / 10),
        },
        ROUNDS,
      );
      const rates = Object.values(times).map(seconds => show(seconds.map(s => 1e-3 / s)));
      printRow([String(blocks), loss, ...rates, (median(times.numpy) / median(times.one)).toFixed(1)]);
    }
  }
  numpy.end();
  await two.close();
}

function makeSample(rows: number, features: number): SampleBatch {
  const random = seeded(1, 'bench');
  const { columns, target } = columnArena({ features, capacity: rows, slots: 1 }).slots[0]!;
  // One column drawn and the rest rotated from it: values matter little, and drawing all of them takes a minute.
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

function timeSum(
  make: (request: BlockRequest) => BlockSummer,
  request: BlockRequest,
  sample: SampleBatch,
  calls = 1,
): number {
  const start = performance.now();
  for (let i = 0; i < calls; i++) {
    const summer = make(request);
    summer.add(sample);
    summer.finish();
  }
  return (performance.now() - start) / 1000 / calls;
}

/** The bound: every byte of the sample loaded once, and added to four sums. */
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

function reader(module: object, { columns, target }: SampleBatch): Contender {
  const { memory } = arenaOf(target)!;
  const { read } = new Instance(module, { env: { memory } }).exports as {
    read(from: number, end: number): number;
  };
  const end = target.byteOffset + target.byteLength - (target.byteLength % 64);
  return () => {
    const start = performance.now();
    read(columns[0]!.byteOffset, end);
    return (performance.now() - start) / 1000;
  };
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

async function takeTurns<K extends string>(
  contenders: Record<K, Contender>,
  rounds: number,
): Promise<Record<K, number[]>> {
  const names = Object.keys(contenders) as K[];
  const times = Object.fromEntries(names.map(name => [name, [] as number[]])) as Record<K, number[]>;
  for (let round = -2; round < rounds; round++) {
    for (const name of names) {
      const seconds = await contenders[name]();
      if (round >= 0) times[name].push(seconds);
    }
  }
  return times;
}

const quantile = (sample: readonly number[], share: number): number =>
  sample.toSorted((a, b) => a - b)[Math.round(share * (sample.length - 1))]!;

const median = (sample: readonly number[]): number => quantile(sample, 0.5);

const show = (rates: readonly number[]): string =>
  `${median(rates).toFixed(1)} (${quantile(rates, 0.25).toFixed(1)}-${quantile(rates, 0.75).toFixed(1)})`;

const printRow = (cells: readonly string[]): void =>
  console.log(
    cells
      .map((cell, i) => cell.padEnd(i === 0 ? 9 : i === 1 ? 13 : cell.length > 7 || i < 8 ? 17 : 8))
      .join(''),
  );

await main();
