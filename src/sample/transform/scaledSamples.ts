import { ArgumentError } from '../../errors.ts';
import type { Vector } from '../../math/vector.ts';
import type { SampleBatch } from '../sampleBatch.ts';
import type { Samples } from '../samples.ts';
import { rewritten, weighLongRows } from './rewritten.ts';
import type { Axis, Scaling } from './scaling.ts';
import { coordinatesOf, type Whitening } from './whitening.ts';

/**
 * The same rows, moved into their declared bounds and scaled by them, with weights for those longer than `rowLength`. A
 * row with any value that is not finite becomes an invalid row: zeros with weight 0, in its position. The result for a
 * row depends on that row alone. A column after the features, which says whose row it is, stays as it is. Rows whose reading may fail with an error about one of them are refused
 * before any is read: they are meant for a private run, in which no value may appear in an error.
 */
export function scaledSamples(samples: Samples, scaling: Scaling): Samples {
  if (samples.namesRows) {
    throw new ArgumentError(
      'the rows were opened so that errors name rows and values, which a private run must not show; open them with the option forPrivate',
      'ERR_NOT_PRIVATE',
      { argument: 'samples' },
    );
  }
  return rewritten(samples, (from, to) => scaleBatch(from, scaling, to));
}

function scaleBatch(from: SampleBatch, scaling: Scaling, whole: Required<Omit<SampleBatch, 'endsChunk'>>): void {
  const { rows } = from;
  const { features, target, targetBounds, byNorm, rowLength = Infinity } = scaling;
  const to = { ...whole, columns: whole.columns.slice(0, features.length) };
  for (let j = features.length; j < whole.columns.length; j++)
    whole.columns[j]!.set(from.columns[j]!.subarray(0, rows));
  if (from.weights === undefined) to.weights.fill(1);
  else for (let i = 0; i < rows; i++) to.weights[i] = from.weights[i]! > 0 ? 1 : 0;
  features.forEach((axis, j) => {
    scaleColumn(from.columns[j]!, axis, to.columns[j]!, to.weights);
  });
  const { least, most } = targetBounds;
  for (let i = 0; i < rows; i++) {
    const value = from.target[i]!;
    if (!Number.isFinite(value)) to.weights[i] = 0;
    to.target[i] = (Math.min(most, Math.max(least, value)) - target.centre) / target.scale;
  }
  if (byNorm) shrinkRows(to);
  for (let i = 0; i < rows; i++) {
    if (to.weights[i] === 1) continue;
    for (const column of to.columns) column[i] = 0;
    to.target[i] = 0;
  }
  if (rowLength < Infinity) weighLongRows(to, rowLength, scaling.intercept ? 1 : 0);
}

function scaleColumn(
  from: Float64Array,
  { centre, scale, least = -Infinity, most = Infinity }: Axis,
  to: Float64Array,
  weights: Float64Array,
): void {
  for (let i = 0; i < to.length; i++) {
    const value = (from[i]! - centre) / scale;
    // Infinities are not measurements that could be moved to a bound.
    if (!Number.isFinite(from[i]!) || !Number.isFinite(value)) weights[i] = 0;
    to[i] = value > most ? most : value < least ? least : value;
  }
}

/** Rows with a norm above 1 are divided by it. */
function shrinkRows({ rows, columns, weights }: Required<Omit<SampleBatch, 'endsChunk'>>): void {
  for (let i = 0; i < rows; i++) {
    if (weights[i] === 0) continue;
    let largest = 0;
    for (const column of columns) largest = Math.max(largest, Math.abs(column[i]!));
    if (largest === 0) continue;
    // The largest value is factored out first, because squares may overflow even if values do not.
    let squares = 0;
    for (const column of columns) squares += (column[i]! / largest) ** 2;
    const norm = largest * Math.sqrt(squares);
    if (norm > 1) for (const column of columns) column[i] = column[i]! / largest / Math.sqrt(squares);
  }
}

/**
 * The same rows in whitened coordinates. Rows longer than `rowLength` there, including the intercept's 1, are
 * down-weighted in proportion to their length; rows with weight 0 keep it. The result for a row depends on that row and
 * the coordinates alone.
 */
export function whitenedSamples(samples: Samples, whitening: Whitening, rowLength: number): Samples {
  const { centre, intercept } = whitening;
  const coordinates = coordinatesOf(whitening);
  return rewritten(samples, (from, to) => {
    whitenBatch(from, { centre, coordinates }, to);
    weighLongRows(to, rowLength, intercept ? 1 : 0);
  });
}

function whitenBatch(
  { columns, target, weights }: SampleBatch,
  { centre, coordinates }: { readonly centre: Vector; readonly coordinates: readonly Vector[] },
  to: Required<Omit<SampleBatch, 'endsChunk'>>,
): void {
  to.target.set(target);
  for (let i = 0; i < to.rows; i++) to.weights[i] = weights === undefined || weights[i]! > 0 ? 1 : 0;
  coordinates.forEach((factors, k) => {
    const own = to.columns[k]!.fill(0);
    columns.forEach((column, j) => {
      const [factor, middle] = [factors[j]!, centre[j]!];
      for (let i = 0; i < own.length; i++) own[i]! += factor * (column[i]! - middle);
    });
  });
}
