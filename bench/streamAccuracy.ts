/**
 * The accuracy of what learns from streams: `npx tsx bench/streamAccuracy.ts [rows] [seeds]`. Sluice, River and Vowpal
 * Wabbit learn from the same rows once, in their order: clean ones, features on scales from 1e-3 to 1e6, and 1 % of
 * targets off by 50. Noise is Student's t with 3 degrees. Figures go to bench/online.json with a digest of this program.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { RecordBatchReader } from 'apache-arrow';
import { lastValueFrom } from 'rxjs';
import { estimateOnline } from '../src/fit/online/estimateOnline.ts';
import { squared } from '../src/method/loss/squared.ts';
import { record } from '../test/support/onlineFigures.ts';
import { pythonWith } from './peers.ts';

const rows = Number(argv[2] ?? 20_000);
const seeds = Number(argv[3] ?? 3);
const python = pythonWith(['numpy', 'pandas', 'pyarrow', 'river==0.26.1', 'vowpalwabbit==9.11.9']);
const program = fileURLToPath(new URL('streams.py', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-accuracy-'));
const KINDS = ['plain', 'scales', 'outliers'] as const;
type Kind = (typeof KINDS)[number];

const peer = (...args: readonly string[]): readonly number[] =>
  JSON.parse(execFileSync(python, [program, ...args], { encoding: 'utf8' })).coefficients;
const sluice = async (file: string, loss: 'pseudo-huber' | ReturnType<typeof squared>): Promise<readonly number[]> => {
  const { coefficients } = await lastValueFrom(
    estimateOnline(RecordBatchReader.from(readFileSync(file)), { target: 'y', loss }),
  );
  return Object.values(coefficients).map(({ estimate }) => estimate);
};
const LEARNERS: Readonly<
  Record<string, (rows: string, text: string) => Promise<readonly number[]> | readonly number[]>
> = {
  'Sluice, pseudo-Huber': file => sluice(file, 'pseudo-huber'),
  'Sluice, squared': file => sluice(file, squared()),
  'River, Bayesian with a constant': file => peer('river-one', file, 'bayesian'),
  'River, scaler and SGD with 1/sqrt(t)': file => peer('river-one', file, 'decaying'),
  'River, scaler and AdaGrad': file => peer('river-one', file, 'adagrad'),
  'River, scaler and SGD': file => peer('river-one', file, 'squared'),
  'River, scaler, SGD and Huber': file => peer('river-one', file, 'huber'),
  'River as it comes': file => peer('river-one', file, 'default'),
  'Vowpal Wabbit as it comes': (_, text) => peer('vw', text),
  'Vowpal Wabbit, median': (_, text) => peer('vw', text, 'quantile'),
};

/** Root mean square error of predictions of the mean: features have variance 1 before they are scaled. */
function squaredError(found: readonly number[], kind: Kind): number {
  const features = found.length - 1;
  const scale = (j: number): number => (kind === 'scales' ? 10 ** (-3 + (9 * j) / (features - 1)) : 1);
  return found.reduce(
    (sum, value, j) => sum + (j < features ? value * scale(j) - (((j * 7) % 5) - 2) / 2 : value - 1) ** 2,
    0,
  );
}

try {
  for (const kind of KINDS) {
    const sums = new Map(Object.keys(LEARNERS).map(name => [name, 0]));
    for (let seed = 1; seed <= seeds; seed++) {
      const [file, text] = [join(folder, 'rows.arrows'), join(folder, 'rows.txt')];
      execFileSync(python, [program, 'make', file, String(rows), kind, String(seed)]);
      execFileSync(python, [program, 'vw-text', file, text]);
      for (const [name, learn] of Object.entries(LEARNERS))
        sums.set(name, sums.get(name)! + squaredError(await learn(file, text), kind));
    }
    for (const [learner, sum] of sums)
      await record(
        'peers',
        { learner, kind, rows },
        seeds,
        { error: Math.sqrt(sum / seeds) },
        new URL(import.meta.url),
      );
  }
} finally {
  rmSync(folder, { recursive: true });
}
