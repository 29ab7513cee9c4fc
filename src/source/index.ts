/**
 * `sluice/source`: tables, and rows read from them: to open files step by step, or to bring a format of one's own.
 *
 * @module
 */

export { gather } from '../sample/gather.ts';
export type { LevelTally } from '../sample/levelTally.ts';
export { INTERCEPT } from '../sample/samples.ts';
// Rows: columns as doubles, with a policy for what cannot be used
export type { Design, DesignColumn, DesignOptions } from './design/design.ts';
export { type Inspection, inspectTable } from './inspect/inspection.ts';
export { openSamples } from './read/openSamples.ts';
export { type OpenOptions, openTable } from './read/openTable.ts';
export type { NullPolicy, TargetRule } from './read/rowPolicy.ts';
export { type ReadOptions, type TableSamples, tableSamples, type UnusableIn } from './read/tableSamples.ts';
export { filesInQuery } from './sql/filesInQuery.ts';
export { openSql } from './sql/openSql.ts';
// Tables: files, queries, and what a format implements
export { expandPaths } from './table/expandPaths.ts';
export type {
  DiscoverRequest,
  Field,
  FieldKind,
  FillRequest,
  Frame,
  LevelRequest,
  Table,
} from './table/table.ts';
