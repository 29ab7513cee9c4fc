import type { SqlRows } from '../../engine/sql/sqlSession.ts';
import { ArgumentError } from '../../errors.ts';
import { knownSource, type RowSource } from '../../source/memory/rowSource.ts';

/** The source where its rows stay in an engine; undefined for any other. */
export function remoteRows(source: RowSource): SqlRows | undefined {
  const known = knownSource(source);
  return known.is === 'remote' ? (known.rows as SqlRows) : undefined;
}

/** Options about how this process reads and keeps rows, which has none where they stay in an engine. */
const OF_READERS = ['rows', 'scratch', 'scratchBytes', 'memoryBytes', 'threads', 'types', 'stdin'] as const;

/** Refuses what does not go with rows that are taken by their ids, or with rows that also stay in an engine. */
export function refuseForRemote(options: object, staysThere: boolean): void {
  const asked = options as Readonly<Record<string, unknown>>;
  if (staysThere && asked.id !== undefined)
    throw new ArgumentError('`id` is named with the rows of an engine; give it there', 'ERR_CONFLICT', {
      argument: 'id',
    });
  for (const name of staysThere ? OF_READERS : [])
    if (asked[name] !== undefined)
      throw new ArgumentError(
        `\`${name}\` is about rows that are read here, and these stay in their engine; leave it out`,
        'ERR_CONFLICT',
        { argument: name },
      );
  if (asked.order === 'as-is')
    throw new ArgumentError(
      "`order: 'as-is'` needs an order, and these rows are assigned by their ids; leave it out",
      'ERR_CONFLICT',
      { argument: 'order' },
    );
  if (typeof asked.aggregate === 'object' && asked.aggregate !== null)
    throw new ArgumentError(
      'this `aggregate` needs the gradient of every single row, and rows that are taken by their ids are summed by blocks; give median-of-means or mean',
      'ERR_CONFLICT',
      { argument: 'aggregate' },
    );
}
