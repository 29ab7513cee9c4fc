import { realpath, stat } from 'node:fs/promises';
import { ArgumentError, dataError } from '../../errors.ts';
import { fileError } from './fileError.ts';
import { glob, isPattern } from './glob.ts';

/**
 * The files that paths and patterns name, in the order given; those of one pattern in natural order, so that rows come
 * in the same order on every machine. Rejects a file named twice. '-', standard input, must be the only input.
 */
export async function expandPaths(patterns: readonly string[]): Promise<string[]> {
  if (patterns.length === 0)
    throw new ArgumentError('there must be at least one file to read, got none', 'ERR_ARGUMENT', {
      argument: 'source',
      value: patterns,
    });
  if (patterns.includes('-')) {
    if (patterns.length === 1) return ['-'];
    throw new ArgumentError(
      '"-" (standard input) must be the only input; name only files, or pipe all the data',
      'ERR_CONFLICT',
      { paths: patterns },
    );
  }
  const paths = (await Promise.all(patterns.map(filesOf))).flat();
  const seen = new Map<string, string>();
  for (const path of paths) {
    const place = await realpath(path);
    const earlier = seen.get(place);
    if (earlier !== undefined) {
      const problem = earlier === path ? 'is named twice' : `is the same file as ${earlier}`;
      throw dataError({ table: path }, problem, 'name it once: its rows would be read twice');
    }
    seen.set(place, path);
  }
  return paths;
}

async function filesOf(pattern: string): Promise<string[]> {
  // A file name may contain the special characters of patterns.
  const found = await stat(pattern).catch((error: unknown) => {
    if (isPattern(pattern)) return undefined;
    throw fileError(pattern, error);
  });
  if (found?.isDirectory()) throw fileError(pattern, { code: 'EISDIR' });
  if (found !== undefined) return [pattern];
  const files = await glob(pattern);
  if (files.length === 0) throw dataError({ table: pattern }, 'matches no file', 'check the pattern and its folder');
  return files.sort(naturalOrder);
}

/**
 * Compares names with numbers by value, part-2 before part-10: runs of digits by value, everything else by code unit.
 */
export function naturalOrder(a: string, b: string): number {
  const ours = runs(a);
  const theirs = runs(b);
  for (let i = 0; i < ours.length && i < theirs.length; i++) {
    const order = compareRuns(ours[i]!, theirs[i]!);
    if (order !== 0) return order;
  }
  // One is a prefix of the other, or they differ only in leading zeros.
  return ours.length - theirs.length || compare(a, b);
}

const runs = (text: string): readonly string[] => text.match(/[0-9]+|[^0-9]+/g) ?? [];

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function compareRuns(a: string, b: string): number {
  if (!/^[0-9]/.test(a) || !/^[0-9]/.test(b)) return compare(a, b);
  const [x, y] = [a, b].map(digits => digits.replace(/^0+/, '')) as [string, string];
  return x.length - y.length || compare(x, y);
}
