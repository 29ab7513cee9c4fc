import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { glob, isPattern } from '../glob.ts';

/**
 * Existing files that a query names, as far as its text tells: in quotes of any kind, as patterns there, or bare, which
 * DuckDB allows too. A text that only looks like a file's name counts as one, since whoever asks wants to spare the
 * data.
 */
export async function filesInQuery(query: string): Promise<readonly string[]> {
  const files = new Set<string>();
  for (const name of namesIn(query)) {
    for (const path of await filesOf(name)) files.add(await realpath(path).catch(() => path));
  }
  return [...files];
}

/** Comments come first: an apostrophe in one begins no text. */
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
  // What is no pattern, or may not be looked at, is for DuckDB to refuse.
  return isPattern(name) ? glob(name).catch(() => []) : [];
}
