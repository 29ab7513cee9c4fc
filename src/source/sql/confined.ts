import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import type { DuckDBConnection } from '@duckdb/node-api';
import { ArgumentError, dataError, refuse } from '../../errors.ts';
import { glob, isPattern } from '../table/glob.ts';

/**
 * Confines a connection to one query, for good: of all files, it may read those that the query names, in full or by a
 * pattern; it loads no extension, and so reaches no network.
 *
 * Guarantee. What the connection may open is decided before it sees the query, and can no longer be changed by it.
 * DuckDB may write to these files too; that it does not is the promise of `requireReading`.
 */
export async function confine(connection: DuckDBConnection, query: string): Promise<void> {
  const paths = (await accessibleTo(query)).map(path => `'${path.replaceAll("'", "''")}'`);
  await connection.run(`SET allowed_paths = [${paths.join(', ')}]`);
  for (const setting of [
    'autoinstall_known_extensions = false',
    'autoload_known_extensions = false',
    'enable_external_access = false',
    'lock_configuration = true',
  ]) {
    await connection.run(`SET ${setting}`);
  }
}

/**
 * Refuses whatever is not one statement that only reads, judged by DuckDB's own parser, which runs nothing.
 *
 * The functions that may stand for a table are listed, because some of the others write files or change how later
 * statements are run (`enable_profiling`, `enable_logging`), run a text (`query`), or read memory (`arrow_scan`).
 */
export async function requireReading(connection: DuckDBConnection, query: string): Promise<void> {
  const parsed = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [query]);
  const { error, error_type, error_message, statements } = JSON.parse(String(parsed.getRows()[0]![0]));
  if (error && error_type === 'not implemented') {
    throw new ArgumentError(
      '`sql` must be one SELECT statement, because a query only reads; leave out any other kind of statement. If it is PIVOT, name the columns: PIVOT … ON column IN (…)',
      'ERR_ARGUMENT',
      { argument: 'sql', value: query },
    );
  }
  if (error) throw rejected(error_message);
  if (statements.length === 0)
    throw new ArgumentError('`sql` must be a query, got an empty text', 'ERR_ARGUMENT', {
      argument: 'sql',
      value: query,
    });
  if (statements.length > 1) {
    refuse('`sql`', 'be one statement', `${statements.length} statements`, 'leave out all but one');
  }
  const refuseName = (problem: string, name: string): never => {
    throw new ArgumentError(`\`sql\` must not ${problem}`, 'ERR_ARGUMENT', { argument: 'sql', value: query, name });
  };
  for (const { type, function: called, function_name, schema_name, table_name } of nodesOf(statements)) {
    const name = String(called?.function_name ?? function_name ?? table_name).toLowerCase();
    if (type === 'TABLE_FUNCTION' && !READING.has(name))
      refuseName(
        `use the function ${name} as a table; those that may stand for one are ${[...READING].join(', ')}`,
        name,
      );
    if (function_name !== undefined && name === 'write_log') refuseName('write, as write_log does; leave it out', name);
    if (type === 'BASE_TABLE' && (CATALOGS.test(String(schema_name)) || CATALOG_TABLE.test(name)))
      refuseName(`read ${name}, which is about DuckDB itself; name files, or call the table otherwise`, name);
  }
}

/** DuckDB's message about a query is what the user needs, so it is passed on. */
export const rejected = (message: string): Error =>
  dataError(
    { table: QUERY },
    `DuckDB rejected it: ${message}${/^Permission Error/.test(message) ? '; a query reads only files that it names, in full or by a pattern' : ''}`,
  );

/** What messages call the table that a query gives. */
export const QUERY = 'the query';

const READING: ReadonlySet<string> = new Set([
  ...['read_csv', 'read_csv_auto', 'read_parquet', 'parquet_scan', 'read_json', 'read_json_auto'],
  ...['read_ndjson', 'read_ndjson_auto', 'read_json_objects', 'read_ndjson_objects'],
  ...['range', 'generate_series', 'unnest', 'repeat', 'json_each', 'json_tree'],
]);

/** What DuckDB knows of itself, settings of this machine among it. */
const CATALOGS = /^(information_schema|pg_catalog)$/i;
const CATALOG_TABLE = /^(duckdb_|pragma_|pg_|sqlite_)/;

/** As much of a node of a syntax tree as is judged. */
interface Node {
  readonly type?: string;
  readonly function?: { readonly function_name?: string };
  readonly function_name?: string;
  readonly schema_name?: string;
  readonly table_name?: string;
}

/** All nodes of a syntax tree: a subquery may stand anywhere. */
function* nodesOf(node: unknown): Generator<Node> {
  if (typeof node !== 'object' || node === null) return;
  yield node;
  for (const child of Object.values(node)) yield* nodesOf(child);
}

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
async function accessibleTo(query: string): Promise<readonly string[]> {
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
