/**
 * Tables, and rows read from them: to open files step by step, or to bring a format of one's own.
 *
 * @module sluice/source
 */

// Tables: files, queries, and what a format implements
export { openTable, type OpenOptions } from './read/openTable.ts';
export { openTables } from './read/openRows.ts';
export { openSql } from './sql/openSql.ts';
export { filesInQuery } from './sql/confined.ts';
export { expandPaths } from './table/expandPaths.ts';
export { inspectTable } from './inspect/inspection.ts';
export type {
  Table,
  Field,
  FieldKind,
  Frame,
  FillRequest,
  LevelRequest,
  DiscoverRequest,
} from './table/table.ts';

// Rows: columns as doubles, with a policy for what cannot be used
export { openRows, type OpenRowsOptions } from './read/openRows.ts';
export { tableSamples, type ReadOptions, type TableSamples, type UnusableIn } from './read/tableSamples.ts';
export { gather } from '../sample/gather.ts';
export { INTERCEPT } from '../sample/samples.ts';
export type { Design, DesignColumn, DesignOptions } from './design/design.ts';
export type { NullPolicy, TargetRule } from './read/rowPolicy.ts';
export type { LevelTally } from '../sample/levelTally.ts';

// What a source of rows may be
export type { ArrowBatch, ArrowTable, Columns, ColumnValues, Subscribable } from './memory/rowSource.ts';
export type { BatchesOptions } from './memory/batches.ts';
