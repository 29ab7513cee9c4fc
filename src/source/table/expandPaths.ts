import { realpath, stat } from 'node:fs/promises';
import { ArgumentError, dataError } from '../../errors.ts';
import { fileError } from './fileError.ts';
import { glob, isPattern } from './glob.ts';
import { naturalOrder } from './naturalOrder.ts';

/**
 * The files that paths and patterns name, in the order given; those of one pattern in natural order, so that rows come
 * in the same order on every machine. Rejects a file named twice. '-', standard input, must be the only input.
 */
export async function expandPaths(patterns: readonly string[]): Promise<string[]> {
  if (patterns.length === 0) throw new ArgumentError('there must be at least one file to read, got none');
  if (patterns.includes('-')) {
    if (patterns.length === 1) return ['-'];
    throw new ArgumentError(
      '"-" (standard input) must be the only input; name only files, or pipe all the data',
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
  if (files.length === 0)
    throw dataError({ table: pattern }, 'matches no file', 'check the pattern and its folder');
  return files.sort(naturalOrder);
}
