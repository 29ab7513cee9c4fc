import { meanOf } from '../../../math/median.ts';
import type { SampleBatch } from '../../../sample/sampleBatch.ts';

/** Values that are to be centred. */
export interface CentredColumn {
  readonly values: Float64Array;
  readonly centre: number;
  /** One over the norm of the centred values of a few rows, or 0. */
  readonly unit: number;
}

/**
 * Centred features, and the contributions of rows to the gradient along them.
 *
 * With an intercept, features with their means, and a constant. Rows of weight 0 hold no values: zeros stand in their
 * places, which are far from a column with a large offset.
 */
export function centredColumns(batch: SampleBatch, intercept: boolean): readonly CentredColumn[] {
  const { rows, columns } = batch;
  const few = fewRows(batch);
  const centred = (values: Float64Array, isCentred: boolean): CentredColumn => {
    const known = Float64Array.from(few, i => values[i]!);
    const centre = isCentred ? meanOf(known) : 0;
    const squares = known.reduce((sum, value) => sum + (value - centre) ** 2, 0);
    return { values, centre, unit: squares === 0 ? 0 : 1 / Math.sqrt(squares) };
  };
  const features = columns.map(column => centred(column.subarray(0, rows), intercept));
  return intercept ? [...features, centred(new Float64Array(rows).fill(1), false)] : features;
}

/** The first rows that count. */
function fewRows({ rows, weights }: SampleBatch): Uint32Array {
  const found: number[] = [];
  for (let i = 0; i < rows && found.length < FEW_ROWS; i++) if (weights?.[i] !== 0) found.push(i);
  return Uint32Array.from(found);
}

/** Enough for means and scales. */
const FEW_ROWS = 2000;

/** The columns that are tested: many features are combined into sums of several, each in units of its scale. */
export function probesOf(columns: readonly CentredColumn[]): readonly CentredColumn[] {
  const { length: rows } = columns[0]!.values;
  const most = Math.max(LEAST_PROBES, Math.min(MOST_PROBES, Math.floor(MOST_VALUES / rows)));
  if (columns.length <= most) return columns;
  const probes = Array.from({ length: most }, () => ({ values: new Float64Array(rows), centre: 0, unit: 1 }));
  columns.forEach((column, j) => {
    // The constant, if there is one, is not combined.
    const probe = probes[j === columns.length - 1 ? most - 1 : j % (most - 1)]!;
    addInUnits(probe.values, column);
  });
  return probes;
}

const MOST_PROBES = 6;
const LEAST_PROBES = 3;
const MOST_VALUES = 2 ** 17;

// Functions of their own, so that they are compiled once for all columns.

function addInUnits(sums: Float64Array, { values, centre, unit }: CentredColumn): void {
  for (let i = 0; i < values.length; i++) sums[i]! += unit * (values[i]! - centre);
}

/** s in the order of the file, less its mean in every stretch. */
export function contributions(
  { values, centre }: CentredColumn,
  influence: Float64Array,
  { order, stretches }: FileOrder,
  into: Float64Array,
): void {
  for (let stretch = 0; stretch + 1 < stretches.length; stretch++) {
    const [from, to] = [stretches[stretch]!, stretches[stretch + 1]!];
    let sum = 0;
    for (let k = from; k < to; k++) {
      const i = order[k]!;
      const found = (values[i]! - centre) * influence[i]!;
      into[k] = found;
      sum += found;
    }
    const mean = sum / (to - from);
    for (let k = from; k < to; k++) into[k]! -= mean;
  }
}

export interface FileOrder {
  /** Rows in the order of the file. */
  readonly order: Uint32Array;
  /** Where stretches with means of their own begin, and where the last one ends. */
  readonly stretches: Uint32Array;
}
