import { expandPaths } from './expandPaths.ts';
import { type OpenOptions, openTable } from './openTable.ts';
import { type ReadOptions, type TableSamples, tableSamples } from './tableSamples.ts';

/** Opens files, globs or standard input ('-') as rows of features and a target: the way in for most programs. */
export async function openSamples(
  patterns: string | readonly string[],
  options: ReadOptions & OpenOptions,
): Promise<TableSamples> {
  const paths = await expandPaths(typeof patterns === 'string' ? [patterns] : patterns);
  const tables = [];
  try {
    for (const path of paths) tables.push(await openTable(path, options));
    return await tableSamples(tables, options);
  } catch (error) {
    await Promise.all(tables.map(table => table.close()));
    throw error;
  }
}
