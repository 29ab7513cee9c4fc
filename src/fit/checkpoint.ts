import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ArgumentError } from '../errors.ts';
import { placeOf, writeDurably } from '../files.ts';
import type { Answers } from '../flow/remembered.ts';
import { fromText, toText } from '../math/plainData.ts';
import type { Plan } from '../plan/plan.ts';
import { takeLock } from '../privacy/ledgerFile/lock.ts';
import { chained, NO_HASH, unchained } from '../privacy/ledgerFile/record.ts';
import { isStream, knownSource, type RowSource } from '../source/memory/rowSource.ts';
import { expandPaths } from '../source/table/expandPaths.ts';
import { version } from '../version.ts';
import { inFolder, requireSameRun } from './runFolder.ts';

/** What a fit over files keeps in a folder, so that it can be killed and go on. */
export interface Checkpoint extends Answers {
  /**
   * Keeps a fact about the run, or compares it with what an earlier process has kept: a checkpoint of another run is
   * refused, with the difference named.
   */
  requireSame(name: string, fact: unknown): void;
  /** The fact of that name, where an earlier process has kept one. */
  fact(name: string): unknown;
  /** Leaves what was kept, for another process. */
  close(): void;
  /** Removes what was kept, because the run is done. */
  remove(): void;
}

/** Options that leave the bits of a result as they are, and where else the run's charges are. */
const IDLE = [
  'checkpoint',
  'ledger',
  'memoryBytes',
  'onIterate',
  'onProgress',
  'scratch',
  'signal',
  'stdin',
  'threads',
];

/**
 * Opens the checkpoint of a fit in a folder, which is made where there is none: what stages answered to the steps that
 * are done, one line each, in a file whose lines have a chain of hashes, so that a line torn by a kill is noticed and
 * its step done again. The rest of a run follows from its options, its files and its seeds, and is made anew.
 *
 * A run is known by its options, its version, and the names, sizes and times of its files; a private run leaves out the
 * sizes, which may depend on what rows hold. Edge cases. Without `isDurable` a loss of power may cost the last lines,
 * and so some steps again; a killed process costs none.
 */
export async function openCheckpoint(
  folder: string,
  source: RowSource,
  options: object,
  { isPrivate = false }: { readonly isPrivate?: boolean } = {},
): Promise<Checkpoint> {
  const files = await filesOf(source, isPrivate);
  const path = join(await placeOf(folder), FILE);
  inFolder(folder, () => mkdirSync(folder, { recursive: true }));
  const lock = takeLock(path);
  try {
    const asked = Object.entries(options).filter(([name, value]) => value !== undefined && !IDLE.includes(name));
    const checkpoint = await readied(path, isPrivate, lock.release);
    checkpoint.requireSame('sluice', version);
    checkpoint.requireSame('files', files);
    checkpoint.requireSame('options', Object.fromEntries(asked));
    return checkpoint;
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Removes the checkpoint of a run whose result is safe; other files of the folder stay. */
export const removeCheckpoint = (folder: string): void => rmSync(join(folder, FILE), { force: true });

/** What a plan computes, as far as a checkpoint has to agree with it. */
export const planFacts = ({ rule, loss, mode, steps, start }: Plan): object => ({
  rule: rule.name,
  loss: loss.name,
  mode,
  steps: steps.map(({ rows, blocks }) => [rows, blocks]),
  start: [...start],
});

const FILE = 'fit.checkpoint';

type Line =
  | { readonly kind: 'fit-checkpoint'; readonly version: 1 }
  | { readonly kind: 'fact'; readonly name: string; readonly fact: unknown }
  | { readonly kind: 'step'; readonly step: number; readonly answer: string };

async function readied(path: string, isDurable: boolean, release: () => void): Promise<Checkpoint> {
  if (statSync(path, { throwIfNoEntry: false }) === undefined)
    await writeDurably(path, chained(NO_HASH, { kind: 'fit-checkpoint', version: 1 }).line);
  const { lines, head, end } = linesOf(path, readFileSync(path));
  const facts = new Map(lines.flatMap(line => (line.kind === 'fact' ? [[line.name, line.fact]] : [])));
  const answers = lines.flatMap(line => (line.kind === 'step' ? [line.answer] : []));
  const file = openSync(path, 'r+');
  ftruncateSync(file, end);
  let [hash, size, isOpen] = [head, end, true];
  const append = (added: Line): void => {
    const { line, hash: next } = chained(hash, added);
    try {
      for (let done = 0; done < line.length; ) done += writeSync(file, line, done, line.length - done, size + done);
      if (isDurable) fsyncSync(file);
    } catch (error) {
      throw new ArgumentError(
        `${path} cannot be written: ${(error as Error).message}; fix the cause and run again, and the fit goes on where it was`,
        'ERR_FILE',
        { file: path },
      );
    }
    size += line.length;
    hash = next;
  };
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    closeSync(file);
    release();
  };
  return {
    known: answers.length,
    at: step => fromText(answers[step]!),
    keep: (step, answer) => append({ kind: 'step', step, answer: toText(answer) }),
    fact: name => facts.get(name),
    requireSame: (name, given) => {
      const fact = asJson(given);
      if (!facts.has(name)) {
        facts.set(name, fact);
        return append({ kind: 'fact', name, fact });
      }
      requireSameRun(path, name, facts.get(name), fact);
    },
    close,
    remove: () => {
      rmSync(path, { force: true });
      close();
    },
  };
}

/** The lines of a checkpoint up to the first that is torn, and where they end. */
function linesOf(path: string, bytes: Buffer): { readonly lines: readonly Line[]; head: string; end: number } {
  const lines: Line[] = [];
  let [head, end] = [NO_HASH, 0];
  for (let next = bytes.indexOf('\n'); next >= 0; next = bytes.indexOf('\n', end)) {
    const link = unchained(head, bytes.subarray(end, next));
    if (link === null) break;
    lines.push(link.body as Line);
    [head, end] = [link.hash, next + 1];
  }
  if (lines[0]?.kind === 'fit-checkpoint' && lines[0].version === 1) return { lines, head, end };
  throw new ArgumentError(
    `${path} is not a checkpoint of a fit that this version can read; name another folder with \`checkpoint\`, or remove the file`,
    'ERR_FILE',
    { file: path },
  );
}

async function filesOf(source: RowSource, isPrivate: boolean): Promise<readonly object[]> {
  const known = knownSource(source);
  if (known.is !== 'files' || isStream(source)) {
    throw new ArgumentError(
      '`checkpoint` is for rows in files, which another process finds again; write the rows to a file, or leave it out',
      'ERR_CONFLICT',
      { argument: 'checkpoint' },
    );
  }
  const paths = await expandPaths(known.paths.map(path => (typeof path === 'string' ? path : fileURLToPath(path))));
  return paths.map(path => {
    const { size, mtimeMs } = statSync(path);
    return { name: basename(path), ...(!isPrivate && { bytes: size }), modified: new Date(mtimeMs).toISOString() };
  });
}

/** As JSON holds it, functions by their source. */
const asJson = (data: unknown): unknown =>
  JSON.parse(
    JSON.stringify(data, (_, value) => {
      if (ArrayBuffer.isView(value)) return [...(value as Float64Array)];
      return typeof value === 'function' || (typeof value === 'number' && !Number.isFinite(value))
        ? String(value)
        : value;
    }),
  );
