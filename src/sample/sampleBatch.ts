import { refuse, requireInteger, requireLength } from '../math/check.ts';

/**
 * Rows of features and a target, column by column. A batch that a source hands out is borrowed:
 * valid until the next pull, because its memory is used again.
 */
export interface SampleBatch {
  readonly rows: number;
  readonly columns: readonly Float64Array[];
  readonly target: Float64Array;
}

/** A batch over columns that already lie in memory; they are used as they are, not copied. */
export function sampleBatch(columns: readonly Float64Array[], target: Float64Array): SampleBatch {
  if (!(target instanceof Float64Array)) refuse('target', 'be a Float64Array', target);
  if (columns.length === 0) refuse('columns', 'hold at least one feature', columns);
  columns.forEach((column, j) => {
    if (!(column instanceof Float64Array)) refuse(`columns[${j}]`, 'be a Float64Array', column);
    requireLength(`columns[${j}]`, column, target.length);
  });
  return { rows: target.length, columns, target };
}

/** Rows from `start` up to, not including, `end`, as views into the same memory. */
export function rowsBetween(batch: SampleBatch, start: number, end: number): SampleBatch {
  requireInteger('start', start, 0, batch.rows);
  requireInteger('end', end, start, batch.rows);
  return {
    rows: end - start,
    columns: batch.columns.map(column => column.subarray(start, end)),
    target: batch.target.subarray(start, end),
  };
}
