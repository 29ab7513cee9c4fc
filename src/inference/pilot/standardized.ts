import { type Arithmetic, fitsTile, riskArithmetic, riskTile } from '../../engine/kernel/riskTile.ts';
import { meanOf, median, medianAt, weightedMedian } from '../../math/median.ts';
import { maxNorm, type Vector } from '../../math/vector.ts';
import { sharedMemory } from '../../math/wasm/webAssembly.ts';
import { rowsBetween, type SampleBatch } from '../../sample/sampleBatch.ts';

/**
 * Rows of positive weight, and how unequal their weights are.
 *
 * Drops rows of weight 0, so that no diagnostic depends on them, and the weights where all others are 1.
 */
export function dropZeroWeights(batch: SampleBatch): SampleBatch {
  const { columns, target, weights } = batch;
  if (weights === undefined) return batch;
  if (weights.every(weight => weight === 1)) return { rows: batch.rows, columns, target };
  if (!weights.includes(0)) return batch;
  const counts = (_: number, i: number): boolean => i < batch.rows && weights[i] !== 0;
  const kept = weights.filter(counts);
  const rows = kept.length;
  return {
    rows,
    columns: columns.map(column => column.filter(counts)),
    target: target.filter(counts),
    ...(kept.some(weight => weight !== 1) && { weights: kept }),
  };
}

export interface WeightSummary {
  readonly mean: number;
  /** The mean over all rows of the run, those of weight 0 among them. */
  readonly meanOfRun: number;
  /** Kish's effective sample size, (sum of w)^2 / sum of w^2. */
  readonly effectiveRows: number;
}

/** Of rows of positive weight, which are this share of the run's. */
export function weightSummary({ rows, weights }: SampleBatch, share: number): WeightSummary {
  if (weights === undefined) return { mean: 1, meanOfRun: share, effectiveRows: rows };
  const largest = maxNorm(weights);
  let [sum, squares] = [0, 0];
  for (const weight of weights) {
    sum += weight / largest;
    squares += (weight / largest) ** 2;
  }
  const mean = (sum / rows) * largest;
  return { mean, meanOfRun: mean * share, effectiveRows: sum ** 2 / squares };
}

/** Standardized rows with case weights of mean 1. */
export interface Study {
  readonly batch: SampleBatch;
  readonly weights: Float64Array;
  readonly intercept: boolean;
  readonly penalties: Vector;
}

/** As many of the first rows of a study as show a difference that matters. */
export function tellingRows(study: Study): Study {
  const rows = Math.min(study.batch.rows, Math.max(TELLING_ROWS, 50 * study.penalties.length));
  return { ...study, batch: rowsBetween(study.batch, 0, rows), weights: study.weights.subarray(0, rows) };
}

const TELLING_ROWS = 20_000;

export const startingRows = ({ batch, penalties }: Study): number =>
  Math.min(batch.rows, Math.max(FEW_ROWS, 50 * penalties.length));

/** Starting estimates need only be near. */
const FEW_ROWS = 5000;

/**
 * Standardized features z_j = (x_j - c_j)/s_j, with the weighted median c and the median absolute deviation s. Where
 * that is 0, s is the median of the nonzero deviations, so that the few rows that leave the usual value are not
 * extreme. Without an intercept c is 0, because nothing absorbs a shift.
 *
 *   theta_j = t_j / s_j,   intercept = t_p - sum of t_j c_j / s_j,   where x.theta = z.t
 *
 *   theta -> of x, t -> of z; the intercept is the last coordinate of both
 */
export interface Standardized {
  readonly batch: SampleBatch;
  /** Columns of zeros: beside an intercept, those with one value in all rows of positive weight. */
  readonly constant: readonly number[];
  /** s */
  readonly scales: Float64Array;
  /** z of other rows. */
  columnsOf(batch: SampleBatch): readonly Float64Array[];
  /** theta of t. */
  toTheta(t: Vector): Vector;
  /** The gradient by t of a function with this gradient by theta. */
  ofGradient(gradient: Vector): Vector;
}

export function standardize(batch: SampleBatch, intercept: boolean): Standardized {
  const { rows, columns, weights } = batch;
  const features = columns.length;
  const room = new Float64Array(rows);
  const centres = new Float64Array(features);
  const scales = new Float64Array(features).fill(1);
  const constant: number[] = [];
  columns.forEach((column, j) => {
    if (intercept) {
      room.set(column.subarray(0, rows));
      centres[j] = medianOf(room, weights);
    }
    shift(column, centres[j]!, 1, room);
    const scale = columnScale(room, weights);
    scales[j] = scale;
    if (isZeroThroughout(room, weights)) constant.push(j);
  });
  const intoColumns = (from: SampleBatch, into: readonly Float64Array[]): readonly Float64Array[] => {
    from.columns.forEach((column, j) => {
      shift(column, centres[j]!, scales[j]!, into[j]!);
    });
    return into;
  };
  const columnsFor = (from: SampleBatch): readonly Float64Array[] =>
    from.columns.map(() => new Float64Array(from.rows));
  // The pilot visits these rows dozens of times, so they lie where compiled arithmetic reaches them.
  const own = fitsTile(features, rows) ? riskTile(features, rows).columns : columnsFor(batch);
  return {
    batch: { ...batch, columns: intoColumns(batch, own) },
    constant,
    scales,
    columnsOf: other => intoColumns(other, columnsFor(other)),
    toTheta(t) {
      const theta = t.slice();
      for (let j = 0; j < features; j++) {
        theta[j]! /= scales[j]!;
        if (intercept) theta[features]! -= theta[j]! * centres[j]!;
      }
      return theta;
    },
    ofGradient: gradient =>
      gradient.map((value, j) =>
        j === features ? value : (value - (intercept ? centres[j]! * gradient[features]! : 0)) / scales[j]!,
      ),
  };
}

/** (x - c)/s. A function of its own, so that it is compiled once for all columns. */
function shift(column: Float64Array, centre: number, scale: number, into: Float64Array): void {
  for (let i = 0; i < into.length; i++) into[i] = (column[i]! - centre) / scale;
}

function isZeroThroughout(values: Float64Array, weights?: Float64Array): boolean {
  for (let i = 0; i < values.length; i++) if (values[i] !== 0 && weights?.[i] !== 0) return false;
  return true;
}

/** The weighted median. Without weights the order of the values is lost. */
export const medianOf = (values: Float64Array, weights?: Float64Array): number =>
  weights === undefined ? medianOfMany(values) : weightedMedian(values, weights);

/** 1.4826 times the median absolute value, or that of the nonzero ones. The order and signs of the values are lost. */
function columnScale(values: Float64Array, weights?: Float64Array): number {
  for (let i = 0; i < values.length; i++) values[i] = Math.abs(values[i]!);
  const usual = 1.4826 * medianOf(values, weights);
  if (usual > 0) return usual;
  // With weights the order is kept, so that values and weights still match.
  const others = values.filter((value, i) => value > 0 && weights?.[i] !== 0);
  return others.length === 0 ? 1 : 1.4826 * median(others);
}

/** Median absolute value, scaled to a normal's standard deviation. The order and signs of the values are lost. */
export function madScale(values: Float64Array, weights?: Float64Array): number {
  for (let i = 0; i < values.length; i++) values[i] = Math.abs(values[i]!);
  return 1.4826 * medianOf(values, weights);
}

/** The same, or by the mean absolute value where more than half of the values are 0; 0 where all are. */
export const robustScale = (values: Float64Array, weights?: Float64Array): number =>
  madScale(values, weights) || 1.2533 * meanOf(values, weights);

const SAMPLE = 1001;

/** In ranks of the sample, from its middle: four standard deviations of the median's rank there. */
const REACH = 64;
const MANY = 16 * SAMPLE;

/**
 * The median of many values. A sample of them bounds it; compiled code counts the values below the bounds and gathers
 * those between, about a tenth, and only these are searched. Most values are visited once, without a branch. The order of the
 * values may be lost.
 */
export function medianOfMany(values: Float64Array): number {
  const { length } = values;
  if (length < MANY) return median(values);
  const sample = new Float64Array(SAMPLE);
  for (let i = 0; i < SAMPLE; i++) sample[i] = values[Math.floor((i * length) / SAMPLE)]!;
  sample.sort();
  const centre = SAMPLE >> 1;
  const { below, between } = divide(values, sample[centre - REACH]!, sample[centre + REACH]!);
  const rank = (length >> 1) - below;
  // The sample may be unrepresentative, if the values are in some regular order.
  if (rank < 1 || rank >= between.length) return median(values);
  return medianAt(between, rank, length % 2 === 0);
}

let room: (Arithmetic & { readonly values: Float64Array }) | undefined;

function divide(
  values: Float64Array,
  low: number,
  high: number,
): { readonly below: number; readonly between: Float64Array } {
  const { length } = values;
  if (room === undefined || room.values.length < length) {
    const pages = Math.ceil((8 * length) / 2 ** 16);
    const memory = sharedMemory(pages);
    room = { ...riskArithmetic(memory), values: new Float64Array(memory.buffer) };
  }
  room.values.set(values);
  const below = room.countBelow(0, length, low);
  return { below, between: room.values.subarray(0, room.gather(0, length, low, high)) };
}
