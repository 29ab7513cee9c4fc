import { refuse, requireInteger, requireLength } from '../errors.ts';

/**
 * Rows of features and a target, column by column. A batch handed out by a source is borrowed: it is valid until the
 * next pull, because its memory is reused.
 */
export interface SampleBatch {
  readonly rows: number;
  readonly columns: readonly Float64Array[];
  readonly target: Float64Array;
  /** The weight of each row's gradient; 0 for an invalid row, whose values are then 0 too. All 1 by default. */
  readonly weights?: Float64Array;
  /** Whether a chunk of an endless `split` ends with this batch, however few rows it has; such a batch may be empty. */
  readonly endsChunk?: boolean;
}

/** A batch over columns already in memory, which are not copied. */
export function sampleBatch(columns: readonly Float64Array[], target: Float64Array): SampleBatch {
  if (!(target instanceof Float64Array)) refuse('target', 'be a Float64Array', target);
  if (columns.length === 0) refuse('columns', 'hold at least one feature', columns);
  columns.forEach((column, j) => {
    if (!(column instanceof Float64Array)) refuse(`columns[${j}]`, 'be a Float64Array', column);
    requireLength(`columns[${j}]`, column, target.length);
  });
  return { rows: target.length, columns, target };
}

/** Checks that a batch has `features` columns and memory for all its rows; borrowed memory may be longer. */
export function requireBatch(batch: SampleBatch, features: number): SampleBatch {
  const { rows, columns, target, weights } = batch;
  requireInteger('batch.rows', rows, 0);
  requireLength('batch.columns', columns, features);
  // A plain loop, because kernels call this for every batch, however small.
  for (let j = 0; j < features; j++) if (columns[j]!.length < rows) refuseShort(`columns[${j}]`, columns[j]!, rows);
  if (target.length < rows) refuseShort('target', target, rows);
  if (weights !== undefined && weights.length < rows) refuseShort('weights', weights, rows);
  return batch;
}

function refuseShort(name: string, { length }: Float64Array, rows: number): never {
  return refuse(`the length of batch.${name}`, `be at least batch.rows = ${rows}`, length);
}

/** Rows from `start` up to, but not including, `end`, as views into the same memory. */
export function rowsBetween(batch: SampleBatch, start: number, end: number): SampleBatch {
  requireInteger('start', start, 0, batch.rows);
  requireInteger('end', end, start, batch.rows);
  return {
    rows: end - start,
    columns: batch.columns.map(column => column.subarray(start, end)),
    target: batch.target.subarray(start, end),
    ...(batch.weights === undefined ? {} : { weights: batch.weights.subarray(start, end) }),
  };
}

/** If all weights are smaller, their squares underflow, and intervals cannot be computed. */
export const LEAST_WEIGHT = 1e-150;
