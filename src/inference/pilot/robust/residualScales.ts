import type { Vector } from '../../../math/vector.ts';
import type { SampleBatch } from '../../../sample/sampleBatch.ts';
import { weightedRisk } from '../risk/weightedRisk.ts';
import { madScale, medianOf, robustScale, type Study } from '../standardized.ts';

/**
 * Scales of the residuals at an estimate, corrected for degrees of freedom: sqrt(n/(n - p)) times a robust scale.
 *
 * Where a line fits all rows but for rounding, residuals have no scale. So it is at least a small share of the spread
 * of the targets, or a few units in their last place; how far they are from 0 says nothing about noise.
 */
export interface ResidualScales {
  /** By the median absolute residual, which is 0 where most rows are fitted exactly. */
  mad(t: Vector): number;
  /** The same, or by the mean absolute residual where that is 0. */
  robust(t: Vector): number;
}

export function residualScales(study: Study): ResidualScales {
  const { batch } = study;
  const risk = weightedRisk(batch, study);
  const factor = degreesOfFreedomFactor(study.weights, risk.size);
  const least = leastScale(batch);
  const room = new Float64Array(batch.rows);
  const scaleBy = (scaleOf: typeof robustScale, t: Vector): number =>
    Math.max(factor * scaleOf(risk.residuals(t, room), batch.weights), least);
  return { mad: t => scaleBy(madScale, t), robust: t => scaleBy(robustScale, t) };
}

function leastScale({ target, weights }: SampleBatch): number {
  const { centre, scale } = targetScale(target, weights);
  return Math.max(LEAST_SCALE * scale, LAST_PLACES * Math.abs(centre)) || LEAST_SCALE;
}

const LEAST_SCALE = 1e-9;
const LAST_PLACES = 1e-14;

/** sqrt(n/(n - p)): residuals of a fit are smaller than the errors, because p coefficients were fitted to them. */
export function degreesOfFreedomFactor(weights: Float64Array, coefficients: number): number {
  const rows = positiveIn(weights);
  return Math.sqrt(rows / Math.max(1, rows - coefficients));
}

const positiveIn = (weights: Float64Array): number =>
  weights.reduce((count, weight) => (weight > 0 ? count + 1 : count), 0);

export const hasTooFewRows = (weights: Float64Array, coefficients: number): boolean =>
  positiveIn(weights) < LEAST_ROWS_PER_COEFFICIENT * coefficients;

/** Fewer rows are not enough to choose among losses that reject some. */
export const LEAST_ROWS_PER_COEFFICIENT = 10;

/** The weighted median of the targets, and a robust scale around it. */
export function targetScale(target: Float64Array, weights?: Float64Array) {
  const centre = medianOf(target.slice(), weights);
  const scale = robustScale(
    target.map(value => value - centre),
    weights,
  );
  return { centre, scale };
}
