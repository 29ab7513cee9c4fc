import { expandPaths } from './expandPaths.ts';
import { type OpenOptions, openTable } from './openTable.ts';
import { type ReadOptions, type TableSamples, tableSamples } from './tableSamples.ts';

/** Opens files, globs or standard input ('-') as rows of features and a target: the way in for most programs. */
export async function openSamples(
  patterns: string | readonly string[],
  options: ReadOptions & OpenOptions,
): Promise<TableSamples> {
  const paths = await expandPaths(typeof patterns === 'string' ? [patterns] : patterns);
  // A column with declared levels is text even where a text file's values look like numbers.
  const leveled = Object.keys(options.categorical ?? {}).map(name => [name, 'text'] as const);
  const types = { ...options.types, ...Object.fromEntries(leveled) };
  const tables = [];
  try {
    for (const path of paths) tables.push(await openTable(path, { ...options, types }));
    return await tableSamples(tables, options);
  } catch (error) {
    await Promise.all(tables.map(table => table.close()));
    throw error;
  }
}
