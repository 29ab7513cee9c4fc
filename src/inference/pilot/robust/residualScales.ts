import { maxNorm, type Vector } from '../../../math/vector.ts';
import type { SampleBatch } from '../../../sample/sampleBatch.ts';
import { weightedRisk } from '../risk/weightedRisk.ts';
import { medianOf, robustScale, type Study } from '../standardized.ts';
import { tieWeights } from '../blend/tieWeights.ts';

/**
 * Scales of the residuals at an estimate, corrected for degrees of freedom: sqrt(n/(n - p)) times 1.4826 times the
 * median absolute residual, which is the standard deviation of normal errors. Rows count by their weights and by how
 * common their targets are (tieWeights.ts).
 *
 * Where a line fits most rows but for rounding, residuals have no scale. So it is at least a small share of the spread
 * of the targets, or a few units in their last place; how far they are from 0 says nothing about noise.
 */
export function residualScales(study: Study): (t: Vector) => number {
  const { batch, weights } = study;
  const risk = weightedRisk(batch, study);
  const factor = degreesOfFreedomFactor(weights, risk.size);
  const least = leastScale(batch);
  const room = new Float64Array(batch.rows);
  const counts = tieWeights(batch.target, weights);
  // Unweighted medians are much faster.
  const isPlain = counts === weights && batch.weights === undefined;
  return t => {
    const residuals = risk.residuals(t, room);
    for (let i = 0; i < residuals.length; i++) residuals[i] = Math.abs(residuals[i]!);
    return Math.max(factor * 1.4826 * (isPlain ? medianOf(residuals) : weightedMiddle(residuals, counts)), least);
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
