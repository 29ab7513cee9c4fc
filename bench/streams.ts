/**
 * Streams: `npm run bench:streams [rows] [rounds]`. Every contender is a process of its own that counts its own
 * processor time; contenders take turns within a round. Medians over rounds, as ratios to what a user would pick
 * instead, with the spread. Then memory over ten million rows, the time from a chunk's last record to its published
 * estimate, and accuracy on the same streams.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, execPath, versions } from 'node:process';
import { fileURLToPath } from 'node:url';
import { RecordBatchReader, RecordBatchStreamWriter } from 'apache-arrow';
import { natsServer } from '../test/streams/support/natsServer.ts';
import { natsTools } from '../test/streams/support/natsStreams.ts';
import { pythonWith } from './peers.ts';
import { saveResults } from './results.ts';

const rows = Number(argv[2] ?? 500_000);
const rounds = Number(argv[3] ?? 5);
const here = fileURLToPath(new URL('.', import.meta.url));
const python = pythonWith(['numpy', 'pandas', 'pyarrow', 'river==0.26.1', 'vowpalwabbit==9.11.9']);
const folder = join(tmpdir(), `sluice-bench-streams-${rows}`);
/** Rows of the streams on which errors are compared: some peers take a tenth of a millisecond for each. */
const ACCURACY_ROWS = 50_000;
const KINDS = ['plain', 'scales', 'outliers'] as const;
type Kind = (typeof KINDS)[number];
const file = (kind: Kind | 'fast', end: 'arrows' | 'txt'): string => join(folder, `${kind}.${end}`);
const [arrows, text] = [file('fast', 'arrows'), file('fast', 'txt')];

interface Turn {
  readonly rows: number;
  readonly seconds: number;
  readonly coefficients?: readonly number[];
  readonly p50?: number;
  readonly p99?: number;
  readonly bytes?: readonly number[];
}

const ask = (command: string, args: readonly string[]): Turn =>
  JSON.parse(execFileSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 26 }));
const sluice = (...args: readonly (string | number)[]): Turn =>
  ask(execPath, ['--expose-gc', join(here, 'streamsRun.mjs'), ...args.map(String)]);
const peer = (...args: readonly (string | number)[]): Turn =>
  ask(python, [join(here, 'streams.py'), ...args.map(String)]);
const make = (...args: readonly (string | number)[]): void => {
  execFileSync(python, [join(here, 'streams.py'), ...args.map(String)], { stdio: 'inherit' });
};

mkdirSync(folder, { recursive: true });
for (const kind of ['fast', ...KINDS] as const) {
  const [count, like] = kind === 'fast' ? [rows, 'plain'] : [ACCURACY_ROWS, kind];
  if (!existsSync(file(kind, 'arrows'))) make('make', file(kind, 'arrows'), count, like);
  if (!existsSync(file(kind, 'txt'))) make('vw-text', file(kind, 'arrows'), file(kind, 'txt'));
}

const median = (values: readonly number[], share = 0.5): number =>
  [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1) + 0.5)]!;

console.log(
  `${cpus()[0]!.model} x ${cpus().length}, load ${loadavg()[0]!.toFixed(1)}, Node ${versions.node}; ${rows} rows of 12 doubles, ${rounds} rounds`,
);

const server = await natsServer();
const url = `${server.url}/rows`;
try {
  const tools = await natsTools(server.port);
  await tools.make('rows');
  await tools.publish('rows.all', messages());
  await tools.close();
  const contenders: Readonly<Record<string, () => Turn>> = {
    'Sluice, from memory, pseudo-Huber': () => sluice('memory', arrows, 'auto'),
    'Sluice, from memory, squared': () => sluice('memory', arrows, 'squared'),
    'the same, chunks of 10,000 rows': () => sluice('memory', arrows, 'squared', 10_000),
    'the same, every estimate read': () => sluice('read', arrows, 'squared'),
    'the same, every chunk on disk': () => sluice('kept', arrows, 'squared'),
    'split and descend alone, squared': () => sluice('dataflow', arrows, 'squared'),
    'River learn_one, from memory': () => peer('river-one', arrows),
    'River learn_many, from memory': () => peer('river-many', arrows),
    'River learn_many, batches of 10,000 rows': () => peer('river-many', arrows, 10_000),
    'Vowpal Wabbit, its own reader of text': () => peer('vw', text),
    'NATS client alone': () => sluice('consumer', url, rows),
    'NATS client, decoded by apache-arrow': () => sluice('decoded', url, rows),
    'Sluice, from NATS, pseudo-Huber': () => sluice('nats', url, 'auto', 1000, rows),
    'Sluice, from NATS, squared': () => sluice('nats', url, 'squared', 1000, rows),
    'Sluice, from NATS, chunks of 10,000 rows': () => sluice('nats', url, 'auto', 10_000, rows),
  };
  const turns = new Map(Object.keys(contenders).map(name => [name, [] as Turn[]]));
  for (let round = 0; round < rounds; round++)
    for (const [name, run] of Object.entries(contenders)) turns.get(name)!.push(run());
  const table = [...turns].map(([name, found]) => {
    const rates = found.map(turn => turn.rows / turn.seconds);
    return { name, rowsPerSecond: median(rates), low: median(rates, 0.25), high: median(rates, 0.75) };
  });
  const rate = (name: string): number => table.find(row => row.name === name)!.rowsPerSecond;
  const ratio = (one: string, other: string, wanted?: number) => ({
    one,
    other,
    ratio: Number((rate(one) / rate(other)).toPrecision(3)),
    ...(wanted !== undefined && { wanted }),
  });
  const [ofSquared, ofLarge, ofNats] = [
    'Sluice, from memory, squared',
    'the same, chunks of 10,000 rows',
    'Sluice, from NATS, pseudo-Huber',
  ];
  const ratios = [
    ratio(ofNats, 'NATS client alone', 0.7),
    ratio(ofNats, 'NATS client, decoded by apache-arrow'),
    ratio('Sluice, from NATS, chunks of 10,000 rows', 'NATS client alone'),
    ratio('Sluice, from NATS, chunks of 10,000 rows', 'NATS client, decoded by apache-arrow'),
    ratio(ofSquared, 'River learn_one, from memory', 20),
    ratio(ofLarge, 'River learn_one, from memory'),
    ratio(ofSquared, 'River learn_many, from memory', 3),
    ratio(ofLarge, 'River learn_many, from memory'),
    ratio(ofLarge, 'River learn_many, batches of 10,000 rows'),
    // Its loss is the squared one unless asked for another.
    ratio('Sluice, from NATS, squared', 'Vowpal Wabbit, its own reader of text', 1),
  ];
  for (const { name, rowsPerSecond, low, high } of table)
    console.log(`${name.padEnd(40)} ${thousands(rowsPerSecond)} rows/s (${thousands(low)} .. ${thousands(high)})`);
  console.table(ratios);

  const latency = turns.get('the same, every estimate read')!;
  const delays = { p50: median(latency.map(({ p50 }) => p50!)), p99: median(latency.map(({ p99 }) => p99!)) };
  console.log(
    `from the last batch of a chunk to its estimate: p50 ${delays.p50.toFixed(2)} ms, p99 ${delays.p99.toFixed(2)} ms`,
  );

  const { bytes = [] } = sluice('flat', 10_000);
  console.log(`memory in MB over 10 million rows: ${bytes.map(each => (each / 2 ** 20).toFixed(0)).join(' ')}`);

  const learners: Readonly<Record<string, (kind: Kind) => Turn>> = {
    'Sluice, pseudo-Huber': kind => sluice('memory', file(kind, 'arrows'), 'auto'),
    'Sluice, squared': kind => sluice('memory', file(kind, 'arrows'), 'squared'),
    'River, scaler and SGD': kind => peer('river-one', file(kind, 'arrows')),
    'River, scaler and SGD, Huber': kind => peer('river-one', file(kind, 'arrows'), 'huber'),
    'River, Bayesian with a constant': kind => peer('river-one', file(kind, 'arrows'), 'bayesian'),
    'Vowpal Wabbit': kind => peer('vw', file(kind, 'txt')),
    'Vowpal Wabbit, quantile': kind => peer('vw', file(kind, 'txt'), 'quantile'),
  };
  const accuracy = Object.entries(learners).map(([name, learn]) => ({
    name,
    ...Object.fromEntries(KINDS.map(kind => [kind, errorOf(learn(kind).coefficients!, kind)])),
  }));
  console.table(accuracy);
  saveResults('streams', { rows, rounds, table, ratios, delays, bytes, accuracyRows: ACCURACY_ROWS, accuracy });
} finally {
  await server.remove();
}

function* messages(): Generator<Uint8Array> {
  for (const batch of RecordBatchReader.from(readFileSync(arrows))) {
    const writer = new RecordBatchStreamWriter();
    writer.write(batch);
    writer.finish();
    yield writer.toUint8Array(true);
  }
}

function thousands(value: number): string {
  return `${(value / 1000).toFixed(0).padStart(6)} k`;
}

/** Root mean square error of predictions of the mean, over the rows that all peers learn from: features have variance 1 before they are scaled. */
function errorOf(found: readonly number[], kind: Kind): number {
  const features = found.length - 1;
  const scale = (j: number): number => (kind === 'scales' ? 10 ** (-3 + (9 * j) / (features - 1)) : 1);
  const wrong = found.map((value, j) => (j < features ? value * scale(j) - (((j * 7) % 5) - 2) / 2 : value - 1));
  return Number(Math.hypot(...wrong).toPrecision(3));
}
