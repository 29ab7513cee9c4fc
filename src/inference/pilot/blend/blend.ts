import type { Coordinates } from '../../../math/coordinates.ts';
import type { RankFactor } from '../../../math/rankFactor.ts';
import { symmetricEigen } from '../../../math/symmetricEigen.ts';
import { addScaled, blend, dot, subtract, times, unitAlong, type Vector, zeros } from '../../../math/vector.ts';
import { lossByName, type NamedLoss } from '../../../method/loss/lossByName.ts';
import { squared } from '../../../method/loss/squared.ts';
import type { SampleBatch } from '../../../sample/sampleBatch.ts';
import { curvatureFactor } from '../risk/curvatureFactor.ts';
import { type WeightedRisk, weightedRisk } from '../risk/weightedRisk.ts';
import type { Study } from '../standardized.ts';
import { mScale } from './mScale.ts';
import { hashedRows, rehashed } from './rowHashes.ts';
import { type BlendRows, type RowsAtHand, rowsAtHand } from './rowsAtHand.ts';
import { deterministicStarts, elementalStarts, LEAST_SHARE, SETTLED, sEstimate } from './sEstimate.ts';
import { tieWeights } from './tieWeights.ts';

/** Two fits of the same rows, and how much the second counts. */
export interface StudyBlend {
  /** w, the weight of the bisquare fit. */
  readonly weight: number;
  /** Huber's estimate. */
  readonly huber: Vector;
  /** The bisquare loss, and its estimate. */
  readonly loss: NamedLoss;
  readonly t: Vector;
  /** Its curvature, where that is at least STEEPEST of the weighted second moments; P'AP = I. */
  readonly coordinates: Coordinates;
  /** The number of rows in both halves of a split. */
  readonly rowsHeld: number;
  /** Vectors whose outer products add up to the covariance of the weighted mean by the halves. */
  readonly spread: readonly Vector[];
}

/** An efficiency of 85 % under normal errors, in S-scales: Huber's fit adds efficiency, and a larger one lets leverage through. */
const BISQUARE_TUNING = 3.44;

/** With 20 halves the standard errors are within 16 %. */
const SPLITS = 10;

/** A larger half costs more and shows no more about which fit is stable. */
const MOST_OF_HALF = 2500;

/** Of the rows of a large pilot. */
const MOST_ROWS = 100_000;

/** With 30 % outliers and six coefficients, 18 of so many elemental fits are clean, and 7 with 40 %. */
const ELEMENTAL = 150;

/** At least 20 per coefficient, where starts are elemental; the best are refined over more. */
const MOST_OF_SEARCH = 500;

const ELEMENTAL_OF_HALF = 20;

/** With more coefficients hardly any elemental fit is clean. */
const MOST_ELEMENTAL = 25;

/** Squared, in standard errors: where fits differ by two, both count the same. */
const EVEN = 4;

/** Of the weighted second moments: a step along a direction with less curvature might go anywhere. */
const LEAST_CURVATURE = 1 / 4;

interface BlendOptions {
  /** The fit H. */
  readonly huber: { readonly loss: NamedLoss; readonly t: Vector };
  /** The rows of the study in the units of the data. */
  readonly rows: SampleBatch;
  /** The smallest scale that is not rounding. */
  readonly least: number;
  /** Less than 1 for rows with unusual features, without case weights. */
  readonly leverageWeights: Float64Array;
}

/**
 * Two M-estimates, and how much each counts.
 *
 *   H  Huber's fit, which no row dominates by its residual, and which far rows move a little
 *   R  the bisquare fit, at 3.44 scales of an S-estimate (sEstimate.ts), which gives far rows no weight: the mean of its
 *      fits to 20 half-samples, so that competing minima blend instead of one being chosen
 *
 *   b = H - R, over the half-samples   what far rows do to Huber's fit
 *   G = max(0, tr A V_R - tr A V_H)    the variance that Huber's fit saves
 *   w = B^2/(B^2 + (4 G)^2),  B = b'Ab,   theta = (1 - w) H + w R
 *
 *   V_H, V_R -> variances over the half-samples, A -> mean of v x x', v the weights of the rows in R
 *
 * If Huber's fit is efficient, G is the variance of b (Hausman, Econometrica 1978), and w is 1/2 where the fits differ by
 * two standard errors. Squares, because a share of 4 G/B of what outliers do to Huber's fit, b, is as much as its error
 * where b is large, and would not shrink with the rows beyond the pilot. With heavy tails R is as precise as H, and w is 1. Where R is unstable, as with few rows per
 * coefficient, w is small. No row is rejected, and no coefficient jumps, by a test.
 *
 * Half-samples are drawn by a hash of the values of a row (rowHashes.ts), so that the order of the rows does not matter.
 *
 * Null where there is nothing to choose: no slope, one target, fits that agree, no row near R, or no more rows in
 * a half than coefficients.
 */
export function blendOf(study: Study, { huber, rows: given, least, leverageWeights }: BlendOptions): StudyBlend | null {
  const { batch, weights, intercept } = study;
  const risk = weightedRisk(batch, { intercept, weights });
  const moments = risk.derivatives(squared(), huber.t).curvature;
  const { kept } = curvatureFactor(moments, risk.size, intercept);
  const slopes = [...kept].filter(j => j < batch.columns.length).sort((a, b) => a - b);
  const places = intercept ? [...slopes, batch.columns.length] : slopes;
  const inOrder = hashedRows([...slopes.map(j => given.columns[j]!), given.target], batch.rows, MOST_ROWS);
  const halves = halvesOf(inOrder);
  const { counts, widening } = tieWeights(batch.target, weights);
  if (slopes.length === 0 || !counts.some(count => count > 0) || halves[0]!.length <= places.length) return null;
  const from: BlendRows = {
    columns: slopes.map(j => batch.columns[j]!),
    target: risk.residuals(huber.t, new Float64Array(batch.rows)),
    weights,
    counts,
    intercept,
    moments: Float64Array.from(places.flatMap(j => places.map(k => moments[j * risk.size + k]!))),
  };
  const start = startOf(from, inOrder.order.subarray(0, MOST_OF_HALF), leverageWeights, least);
  const fits = halves.map((half, k) => halfFits(rowsAtHand(from, half), { start, huber, least, widening, k }));
  const mean = (vectors: readonly Vector[]): Vector =>
    vectors.reduce((sum, v) => addScaled(sum, 1 / vectors.length, v), zeros(places.length));
  const [H, R] = [mean(fits.map(fit => fit.huber)), mean(fits.map(fit => fit.bisquare))];
  const loss = lossByName('tukey', {
    parameter: fits.reduce((sum, { parameter }) => sum + parameter / fits.length, 0),
  });
  const expanded = (d: Vector): Vector => {
    const t = huber.t.slice();
    places.forEach((j, k) => {
      t[j]! += d[k]!;
    });
    return t;
  };
  const t = expanded(R);
  const A = risk.reweighted(loss.loss, t).curvature;
  const size = (d: Vector): number => {
    const wide = subtract(expanded(d), huber.t);
    return dot(wide, times(A, wide));
  };
  // From half-samples of k of m rows to an estimate of all.
  const k = halves.reduce((sum, { length }) => sum + length, 0) / halves.length;
  const share = k / inOrder.order.length;
  const unit = share / (1 - share) / (fits.length - 1);
  // And from the rows of the halves to all.
  const ofAll = inOrder.order.length / batch.rows;
  const traceOf = (of: 'huber' | 'bisquare', centre: Vector): number =>
    unit * fits.reduce((sum, fit) => sum + size(subtract(fit[of], centre)), 0);
  // By the same halves, whose rows move both fits.
  const moved = size(subtract(R, H));
  if (!(moved > 0)) return null;
  const saved = Math.max(0, traceOf('bisquare', R) - traceOf('huber', H));
  const weight = moved ** 2 / (moved ** 2 + (EVEN * saved) ** 2);
  const centre = blend(H, R, weight);
  return {
    weight,
    huber: huber.t,
    loss,
    t,
    coordinates: boundedCoordinates(risk, loss, t, intercept),
    rowsHeld: 2 * k,
    spread: fits.map(fit => {
      const away = subtract(blend(fit.huber, fit.bisquare, weight), centre);
      return subtract(expanded(away.map(value => Math.sqrt(unit * ofAll) * value)), huber.t);
    }),
  };
}

/** Halves of the rows, or as many as are enough from either end, of several orders. */
function halvesOf({ order, hashes }: ReturnType<typeof hashedRows>): readonly Uint32Array[] {
  const rows = order.length;
  const share = Math.min(1 / 2, MOST_OF_HALF / rows);
  return Array.from({ length: SPLITS }, (_, split) => {
    const keys = new Uint32Array(rows);
    for (let i = 0; i < rows; i++) keys[i] = rehashed(hashes[i]!, split);
    const low = share < 1 / 2 ? share * 2 ** 32 : keys.slice().sort()[rows >> 1]!;
    const high = share < 1 / 2 ? (1 - share) * 2 ** 32 : low;
    return [withKeys(order, keys, 0, low), withKeys(order, keys, high, 2 ** 32)];
  }).flat();
}

/** The places whose keys are from `low` on and below `high`. */
function withKeys(order: Uint32Array, keys: Uint32Array, low: number, high: number): Uint32Array {
  const found = new Uint32Array(order.length);
  let count = 0;
  for (let i = 0; i < order.length; i++) if (keys[i]! >= low && keys[i]! < high) found[count++] = order[i]!;
  return found.slice(0, count);
}

/** The S-estimate of as many rows as a half may have, from which the halves start. */
function startOf(from: BlendRows, places: Uint32Array, leverageWeights: Float64Array, least: number): Vector {
  const first = rowsAtHand(from, places.subarray(0, MOST_OF_SEARCH));
  const isSmall = first.size <= MOST_ELEMENTAL;
  const found = isSmall ? elementalStarts(first, { elemental: ELEMENTAL, least }) : [];
  const sample = rowsAtHand(from, places);
  const bounded = sample.weights.map((weight, i) => weight * leverageWeights[places[i]!]!);
  const far = zeros(sample.size);
  for (let round = 0; round < HUBER_ROUNDS; round++) {
    sample.step(far, { kind: 'pseudo-huber', parameter: Math.max(least, middleSize(sample.residuals(far))) }, bounded);
  }
  const starts = [zeros(sample.size), far, ...(isSmall ? found : deterministicStarts(sample))];
  return sEstimate(sample, starts, { elemental: 0, from: 0, least }).d;
}

/** 1.345 scales of 1.4826 median sizes. */
const middleSize = (residuals: Float64Array): number => {
  const sizes = residuals.map(Math.abs).sort();
  return 1.345 * 1.4826 * sizes[sizes.length >> 1]!;
};

const HUBER_ROUNDS = 10;
const BISQUARE_ROUNDS = 30;

/** Both fits of a half-sample, as what they add to Huber's fit of all rows. */
function halfFits(
  sample: RowsAtHand,
  {
    start,
    huber,
    least,
    widening,
    k,
  }: Pick<BlendOptions, 'huber' | 'least'> & { readonly start: Vector; readonly widening: number; readonly k: number },
) {
  const settle = (d: Vector, kind: 'pseudo-huber' | 'tukey', parameter: number, rounds: number): Vector => {
    for (let round = 0; round < rounds; round++) {
      const square = sample.step(d, { kind, parameter }, sample.weights);
      if (!(square > SETTLED * (sample.size / sample.rows) * parameter ** 2)) break;
    }
    return d;
  };
  const ofHuber = settle(zeros(sample.size), 'pseudo-huber', huber.loss.parameter!, HUBER_ROUNDS);
  const isSmall = sample.size <= MOST_ELEMENTAL;
  const { d, scale } = sEstimate(sample, [ofHuber, start], {
    elemental: isSmall ? ELEMENTAL_OF_HALF : 0,
    // Other rows than other halves, of which many share the first.
    from: k * ELEMENTAL_OF_HALF * sample.size,
    least,
  });
  const parameter = BISQUARE_TUNING * widening * innerScale(sample, d, scale, least);
  return { huber: ofHuber, bisquare: settle(d.slice(), 'tukey', parameter, BISQUARE_ROUNDS), parameter };
}

/**
 * The scale of the rows that have weight at 3.44 scales, weighted so: 30 % of outliers double the scale of half of all rows,
 * and a cutoff twice as far lets them in where they happen to come near. Of normal errors it is the same.
 */
function innerScale(sample: RowsAtHand, d: Vector, scale: number, least: number): number {
  const { rows, size, counts } = sample;
  const residuals = sample.residuals(d);
  const inner = counts.map(
    (count, i) => count * Math.max(0, 1 - (residuals[i]! / (BISQUARE_TUNING * scale)) ** 2) ** 2,
  );
  if (!inner.some(count => count > 0)) return scale;
  const wanted = INNER_HALF * Math.max(LEAST_SHARE, 1 - size / rows);
  return Math.max(least, mScale(residuals, inner, { rows, wanted, guess: scale }));
}

/** The mean of rho under normal errors that are weighted so, beside HALF of all: both by numerical integration. */
const INNER_HALF = 0.4347;

/** Coordinates in which the curvature is the identity, or less where it is less than LEAST_CURVATURE of the weighted second moments. */
function boundedCoordinates(risk: WeightedRisk, { loss }: NamedLoss, t: Vector, intercept: boolean): Coordinates {
  const hessian = risk.derivatives(loss, t).curvature;
  const factor: RankFactor = curvatureFactor(risk.reweighted(loss, t).curvature, risk.size, intercept);
  const rank = factor.kept.length;
  // The Hessian in coordinates in which the weighted second moments are the identity.
  const images = Array.from({ length: rank }, (_, k) =>
    factor.solveFactor(times(hessian, factor.solveTransposed(unitAlong(k, rank)))),
  );
  const relative = Float64Array.from({ length: rank * rank }, (_, at) => {
    const [i, j] = [Math.floor(at / rank), at % rank];
    return (images[j]![i]! + images[i]![j]!) / 2;
  });
  const axes = symmetricEigen(relative, rank).map(({ value, vector }) => ({
    vector,
    length: 1 / Math.sqrt(Math.max(LEAST_CURVATURE, value)),
  }));
  return {
    size: risk.size,
    rank,
    toTheta(phi) {
      const sum = zeros(rank);
      axes.forEach(({ vector, length }, k) => {
        for (let j = 0; j < rank; j++) sum[j]! += phi[k]! * length * vector[j]!;
      });
      return factor.solveTransposed(sum);
    },
    ofGradient(gradient) {
      const inner = factor.solveFactor(gradient);
      return Float64Array.from(axes, ({ vector, length }) => length * dot(vector, inner));
    },
  };
}
