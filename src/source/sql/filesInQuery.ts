import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { glob, isPattern } from '../table/glob.ts';

/**
 * Existing files that a query names, judging by its text: in any kind of quotes, as patterns there, or bare, which
 * DuckDB also allows. A text that merely looks like a file name counts too, because the caller wants to protect the
 * data.
 */
export async function filesInQuery(query: string): Promise<readonly string[]> {
  const files = new Set<string>();
  for (const name of namesIn(query)) {
    for (const path of await filesOf(name)) files.add(await realpath(path).catch(() => path));
  }
  return [...files];
}

/** What a query may read: the files that it names, and its patterns themselves, without which DuckDB expands none. */
export async function accessibleTo(query: string): Promise<readonly string[]> {
  return [...(await filesInQuery(query)), ...[...namesIn(query)].filter(isPattern)];
}

/** Comments come first: an apostrophe in a comment does not start a string. */
const TOKENS =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?<text>(?:[^']|'')*)'|"(?<name>(?:[^"]|"")*)"|\$(?<tag>\w*)\$(?<dollars>[\s\S]*?)\$\k<tag>\$|(?<bare>\w+(?:\.\w+)+)/g;

function* namesIn(query: string): Generator<string> {
  for (const { groups = {} } of query.matchAll(TOKENS)) {
    const { text, name, dollars, bare } = groups;
    const found = text?.replaceAll("''", "'") ?? name?.replaceAll('""', '"') ?? dollars ?? bare;
    if (found) yield found.replace(/^file:(\/\/(localhost)?)?/, '').replace(/^~(?=\/)/, homedir());
  }
}

async function filesOf(name: string): Promise<readonly string[]> {
  const found = await stat(name).catch(() => undefined);
  if (found !== undefined) return found.isDirectory() ? [] : [name];
  // Invalid patterns and unreadable folders are left for DuckDB to report.
  return isPattern(name) ? glob(name).catch(() => []) : [];
}
