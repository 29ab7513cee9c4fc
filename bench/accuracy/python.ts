/** A Python process that draws samples and fits peers to them; requests and answers are lines of JSON. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pythonWith } from '../peers.ts';
import type { Bounds } from './contenders.ts';

/** diffprivlib 0.6.6 needs a scikit-learn before 1.8. */
const PACKAGES = ['numpy', 'pyarrow', 'scikit-learn<1.8', 'statsmodels', 'diffprivlib', 'opendp', 'river'];

export const program = fileURLToPath(new URL('../accuracy.py', import.meta.url));

export interface Sample {
  readonly truth: readonly number[];
  readonly bounds: Bounds | null;
}

export type PeerFit = { readonly theta: readonly number[]; readonly seconds: number } | { readonly failed: string };

export interface Score {
  readonly error: number;
  readonly intercept: number;
}

export interface Python {
  /** The path of the interpreter. */
  readonly command: string;
  /** Versions of the packages. */
  readonly versions: Readonly<Record<string, string>>;
  /** The sample is kept until the next one is drawn, in memory and in the file. */
  draw(sample: { scenario: string; rows: number; features: number; seed: number; path: string }): Promise<Sample>;
  fit(request: { method: string; seed: number; epsilon?: number; delta?: number }): Promise<PeerFit>;
  score(theta: readonly number[]): Promise<Score>;
  close(): void;
}

export async function python(): Promise<Python> {
  const command = pythonWith(PACKAGES);
  const oneThread = { OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' };
  const child = spawn(command, [program], {
    env: { ...process.env, ...oneThread },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error('the Python process of bench/accuracy.py has ended; see its message above');
    return JSON.parse(value);
  };
  const ask = (request: object) => {
    child.stdin.write(`${JSON.stringify(request)}\n`);
    return answer();
  };
  return {
    command,
    versions: await answer(),
    draw: draw => ask({ draw }),
    fit: fit => ask({ fit }),
    score: score => ask({ score }),
    close: () => child.stdin.end(),
  };
}
