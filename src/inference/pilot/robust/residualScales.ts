import { maxNorm, type Vector } from '../../../math/vector.ts';
import type { SampleBatch } from '../../../sample/sampleBatch.ts';
import { tieWeights } from '../blend/tieWeights.ts';
import { weightedRisk } from '../risk/weightedRisk.ts';
import { medianOf, robustScale, type Study } from '../standardized.ts';

/**
 * Scales of the residuals at an estimate, corrected for degrees of freedom: sqrt(n/(n - p)) times a robust scale.
 *
 * Where a line fits most rows but for rounding, residuals have no scale. So it is at least a small share of the spread
 * of the targets, or a few units in their last place; how far they are from 0 says nothing about noise.
 */
export interface ResidualScales {
  /** 1.4826 times the median absolute residual, or 1.2533 times the mean where that is 0. */
  plain(t: Vector): number;
  /**
   * 1.4826 times the median, with rows that count by how common their targets are (tieWeights.ts), and wider where many
   * targets are equal (`wideningOf`).
   */
  tied(t: Vector): number;
}

/** `rank` is the number of coefficients that rows determine; all of them unless given. */
export function residualScales(study: Study, rank = study.penalties.length): ResidualScales {
  const { batch, weights } = study;
  const risk = weightedRisk(batch, study);
  const factor = degreesOfFreedomFactor(weights, rank);
  const least = leastScale(batch);
  const room = new Float64Array(batch.rows);
  const ties = tieWeights(batch.target, weights);
  return {
    plain: t => Math.max(factor * robustScale(risk.residuals(t, room), batch.weights), least),
    tied(t) {
      const sizes = risk.residuals(t, room);
      for (let i = 0; i < sizes.length; i++) sizes[i] = Math.abs(sizes[i]!);
      // Unweighted medians are much faster.
      const isPlain = ties.counts === weights && batch.weights === undefined;
      const middle = isPlain ? medianOf(sizes) : weightedMiddle(sizes, ties.counts);
      return Math.max(factor * ties.widening * 1.4826 * middle, least);
    },
  };
}

/** The number that half of the weight is not above, by halving: sorting many rows would take longer. */
function weightedMiddle(sizes: Float64Array, counts: Float64Array): number {
  const half = counts.reduce((sum, count) => sum + count, 0) / 2;
  if (half === 0) return 0;
  let [low, high] = [0, maxNorm(sizes)];
  while (high - low > CLOSE * high) {
    const middle = (low + high) / 2;
    let below = 0;
    for (let i = 0; i < sizes.length; i++) if (sizes[i]! <= middle) below += counts[i]!;
    if (below >= half) high = middle;
    else low = middle;
  }
  return high;
}

/** Far below what rows show. */
const CLOSE = 1e-12;

/** The smallest scale that is not rounding. */
export function leastScale({ target, weights }: SampleBatch): number {
  const { centre, scale } = targetScale(target, weights);
  return Math.max(LEAST_SCALE * scale, LAST_PLACES * Math.abs(centre)) || LEAST_SCALE;
}

const LEAST_SCALE = 1e-9;
const LAST_PLACES = 1e-14;

/** sqrt(n/(n - p)): residuals of a fit are smaller than the errors, because p coefficients were fitted to them. */
export function degreesOfFreedomFactor(weights: Float64Array, coefficients: number): number {
  const rows = weights.reduce((count, weight) => (weight > 0 ? count + 1 : count), 0);
  return Math.sqrt(rows / Math.max(1, rows - coefficients));
}

/** The weighted median of the targets, and a robust scale around it. */
export function targetScale(target: Float64Array, weights?: Float64Array) {
  const centre = medianOf(target.slice(), weights);
  const scale = robustScale(
    target.map(value => value - centre),
    weights,
  );
  return { centre, scale };
}
