import { median } from '../../../math/median.ts';
import type { Vector } from '../../../math/vector.ts';
import { counted } from '../../../words.ts';
import type { FittedStudy } from '../../pilot/fittedStudy.ts';
import { standardErrors } from '../../pilot/risk/curvatureFactor.ts';
import { minimize } from '../../pilot/risk/minimize.ts';
import { weightedRisk } from '../../pilot/risk/weightedRisk.ts';
import { madScale, type Study } from '../../pilot/standardized.ts';
import { percent, type Tell } from '../notes.ts';

/**
 * Counts far beyond all others, whose influence on a Poisson fit is unbounded: one of 100,000 among 2,000 of about 3
 * makes up nearly all of the sum that the fit reproduces.
 *
 *   r = (y - mu)/sqrt(mu), the Pearson residual, less its median, in units of its spread, which is at least 1
 *
 * A few rows are extreme where r is at least six and three times that of all others. Tails that thin out like those of
 * negative-binomial counts leave no such gap. They are reported where a coefficient is more than two standard errors
 * off without them, or where they have a tenth of the sum of counts. Standard errors are those of the other rows,
 * because an extreme row inflates its own.
 *
 * Null where there are none, and for other losses; otherwise their rows, their share of the sum of counts, the largest,
 * the estimate without them, and the coefficient that then differs most, in standard errors.
 */
export function extremeCounts({ study, standardized, estimate, t }: FittedStudy) {
  const { loss: named, isSeparated = false } = estimate;
  if (named.name !== 'poisson' || isSeparated) return null;
  const { loss } = named;
  const { batch, weights, intercept } = study;
  const { rows, target } = batch;
  const isExtreme = extremeRows(study, t);
  if (isExtreme === null) return null;
  let [found, largest, sum, total] = [0, 0, 0, 0];
  for (let i = 0; i < rows; i++) {
    total += weights[i]! * target[i]!;
    if (!isExtreme(i)) continue;
    found++;
    sum += weights[i]! * target[i]!;
    largest = Math.max(largest, target[i]!);
  }
  if (found === 0) return null;
  const others = { ...study, weights: weights.map((weight, i) => (isExtreme(i) ? 0 : weight)) };
  const without = minimize(weightedRisk(batch, others), loss, t, { intercept });
  const errors = standardErrors(batch, { loss, t: without, weights: others.weights, intercept });
  const sizes = errors.map((error, j) => (error > 0 ? Math.abs(t[j]! - without[j]!) / error : 0));
  // An intercept moves with every sum; a slope that moves is what a user looks for.
  const slopes = sizes.subarray(0, batch.columns.length);
  const looked = slopes.some(size => size > LEAST_SHIFT) ? slopes : sizes;
  const most = looked.indexOf(Math.max(...looked));
  const share = sum / total;
  return sizes[most]! > LEAST_SHIFT || share >= MUCH
    ? { rows: found, share, largest, without: standardized.toTheta(without), most }
    : null;
}

/** In standard errors. */
const LEAST_SHIFT = 2;

/** Of the sum of all counts. */
const MUCH = 0.1;

/** Which rows are extreme; null where none are. */
function extremeRows({ batch, weights, intercept }: Study, t: Vector): ((row: number) => boolean) | null {
  const { rows, target } = batch;
  const residuals = weightedRisk(batch, { intercept, weights }).residuals(t, new Float64Array(rows));
  for (let i = 0; i < rows; i++) {
    const rate = Math.exp(target[i]! - residuals[i]!);
    residuals[i]! = (target[i]! - rate) / Math.sqrt(rate);
  }
  const centre = median(residuals.slice());
  for (let i = 0; i < rows; i++) residuals[i]! -= centre;
  const unit = Math.max(1, madScale(residuals.slice()));
  const sorted = residuals.slice().sort();
  const from = (place: number): number => sorted[rows - place]!;
  for (let few = Math.min(Math.max(FEW_ROWS, FEW_OF_ALL * rows), rows - 1) | 0; few > 0; few--) {
    if (from(few) > GAP * Math.max(from(few + 1), NEAR * unit)) {
      const least = from(few);
      return row => residuals[row]! >= least && target[row]! >= LEAST_COUNT;
    }
  }
  return null;
}

const GAP = 3;
const NEAR = 2;
const FEW_ROWS = 3;
const FEW_OF_ALL = 0.002;

/** Where the expected count is almost 0, an event or two are far beyond it inevitably. */
const LEAST_COUNT = 10;

/** Nothing bounds the influence of a row on a fit of counts. */
export const extremeCountNotes: Tell = ({ pilot }) => {
  if (pilot.targets.extremeCounts === null) return null;
  const { rows, share, largest } = pilot.targets.extremeCounts;
  const [have, them, are] = rows === 1 ? ['has', 'it', 'it is an error'] : ['have', 'them', 'they are errors'];
  return `${rows} of ${counted(pilot.rows.positiveWeight, 'row')} in the pilot ${have} an extreme count (up to ${largest}), ${percent(share)} of the total, whose influence nothing bounds: fix or remove ${them} if ${are}`;
};
