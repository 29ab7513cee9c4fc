import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import { dataError } from '../../errors.ts';
import { fileError } from './fileError.ts';

/**
 * The files that match a pattern, in no particular order. Supports *, ?, [a-z], [!a-z], {a,b}, and ** for folders at
 * any depth. As in a shell, a leading dot must be written out, ** does not follow links, and a backslash escapes a
 * character; but on Windows a backslash separates folders, like a slash.
 */
export async function glob(pattern: string, platform: NodeJS.Platform = process.platform): Promise<string[]> {
  const found = new Set<string>();
  const isWindows = platform === 'win32';
  for (const plain of expandBraces(isWindows ? pattern.replaceAll('\\', '/') : pattern)) {
    const { root } = (isWindows ? win32 : posix).parse(plain);
    const parts = plain
      .slice(root.length)
      .split('/')
      .filter(part => part !== '');
    for await (const path of walk(root, parts)) {
      if (!found.has(path) && (await isFile(path))) found.add(path);
    }
  }
  return [...found];
}

export const isPattern = (path: string): boolean => /[*?[{]/.test(path);

/** From the innermost braces outwards. */
function expandBraces(pattern: string): string[] {
  const braces = /(?<!\\)\{([^{}]*,[^{}]*)\}/.exec(pattern);
  if (braces === null) return [pattern];
  const before = pattern.slice(0, braces.index);
  const after = pattern.slice(braces.index + braces[0].length);
  return braces[1]!.split(',').flatMap(choice => expandBraces(before + choice + after));
}

async function* walk(folder: string, [part, ...rest]: readonly string[]): AsyncGenerator<string> {
  if (part === undefined) yield folder;
  else if (part === '**') {
    yield* walk(folder, rest.length === 0 ? ['*'] : rest);
    for (const entry of await entriesOf(folder))
      if (entry.isDirectory() && !entry.name.startsWith('.')) yield* walk(below(folder, entry.name), [part, ...rest]);
  } else if (isPattern(part)) {
    const matcher = matcherOf(part);
    for (const { name } of await entriesOf(folder)) if (matcher.test(name)) yield* walk(below(folder, name), rest);
  } else yield* walk(below(folder, part.replace(/\\(.)/g, '$1')), rest);
}

const below = (folder: string, name: string): string =>
  folder === '' || folder.endsWith('/') ? folder + name : `${folder}/${name}`;

/** Empty for anything that is not a folder; but an unreadable folder is an error, because it could hide data. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder === '' ? '.' : folder, { withFileTypes: true });
  } catch (error) {
    if (isAbsent(error)) return [];
    throw fileError(folder, error);
  }
}

async function isFile(path: string): Promise<boolean> {
  try {
    return !(await stat(path)).isDirectory();
  } catch (error) {
    if (isAbsent(error)) return false;
    throw fileError(path, error);
  }
}

const isAbsent = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

const TOKENS = /\\(.)|\[([!^]?)(\]?[^\]]*)\]|(\*+)|(\?)|[\\^$.+()|[\]{}]/gsu;

/** One part of a pattern, between slashes, as a regular expression for names. */
function matcherOf(part: string): RegExp {
  const body = part.replace(TOKENS, (token, escaped, negation, set, star, question) => {
    if (set !== undefined) return `[${negation === '' ? '' : '^'}${set.replace(/[\\\][^]/g, '\\$&')}]`;
    if (star !== undefined) return '.*';
    if (question !== undefined) return '.';
    return (escaped ?? token).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  });
  try {
    return new RegExp(`^${/^\\?\./.test(part) ? '' : '(?!\\.)'}${body}$`, 'su');
  } catch {
    throw dataError({ table: part }, 'is not a valid pattern', 'check its brackets');
  }
}
