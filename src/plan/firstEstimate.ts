/**
 * A first estimate of a few rows, and the loss it is of.
 *
 * It begins with pseudo-Huber's loss at the scale of the residuals, over a few of the rows weighted by leverage; from there the estimate of the loss at hand is not far. Where the loss is left
 * open and the target linear, it is a redescending one, tuned to the residuals (chooseTuning.ts) where rows are many beside the coefficients, or the squared one where targets have two values, or most the same (tiedTargets.ts); its estimate over
 * all of these rows is as good as a step's on as many.
 */
import { gemanMcClure } from '../loss/gemanMcClure.ts';
import type { Loss } from '../loss/loss.ts';
import { lossByName, type NamedLoss } from '../loss/lossByName.ts';
import { pseudoHuber } from '../loss/pseudoHuber.ts';
import { HUBER_TUNING } from '../loss/tunings.ts';
import { meanOf } from '../math/meanOf.ts';
import { type Vector, zeros } from '../math/vector.ts';
import { rowsBetween, type SampleBatch } from '../sample/sampleBatch.ts';
import { isCarriedAway, seenRows } from './carriedAway.ts';
import { chooseTuning, mildestLoss, surestLoss, type Tuning } from './chooseTuning.ts';
import { evenTuning } from './evenTuning.ts';
import { leftOutGroups } from './leftOutGroups.ts';
import { concentrationOf, type Leverage, leverageOf, squaredNorms } from './leverage.ts';
import { product } from './product.ts';
import { minimize, reweigh } from './settle.ts';
import { medianSpread, middle, spread } from './standardized.ts';
import { areTargetsTied } from './tiedTargets.ts';
import { twoValues } from './twoValues.ts';
import { type WeightedRisk, weightedRisk } from './weightedRisk.ts';

/** Rows in standardized units, and how they count. */
export interface Study {
  readonly batch: SampleBatch;
  readonly weights: Float64Array;
  readonly intercept: boolean;
  readonly penalties: Vector;
}

export interface FirstEstimate {
  readonly loss: NamedLoss;
  readonly t: Vector;
  /** Whether it is the loss's own over these rows. */
  readonly isEstimate: boolean;
  /** Whether classes are told apart without error, or all counts are 0, so that there is no finite estimate. */
  readonly isApart?: boolean;
  /** sqrt(sum of d^4) / sum of d^2, d^2 the leverage of rows: how far off moments of so many rows may be, by the few that are furthest out; 0 where nobody looked. */
  readonly concentration?: number;
  readonly residualScale: number;
  /** Where rows count by it, with the weights that the pilot's rows then have. */
  readonly leverage?: Leverage;
  readonly weights?: Float64Array;
}

/** The first estimates need only be near. */
const FEW_ROWS = 5000;

const fewOf = ({ batch, penalties }: Study): number =>
  Math.min(batch.rows, Math.max(FEW_ROWS, 50 * penalties.length));

export function firstEstimate(
  study: Study,
  { loss, runRows }: { readonly loss: NamedLoss | 'auto'; readonly runRows: number },
): FirstEstimate {
  const { batch, intercept } = study;
  const isBinary = batch.target.every(target => target === 0 || target === 1);
  const known = loss === 'auto' && isBinary ? lossByName('logistic') : loss;
  if (known !== 'auto' && known.loss.targets.least > -Infinity) {
    return { loss: known, ...generalEstimate(study, known.loss), residualScale: 0 };
  }
  const few = nearEstimate(study);
  const room = new Float64Array(batch.rows);
  const risk = weightedRisk(batch, study);
  const freedom = freedomFactor(study.weights, risk.size);
  // Where a line fits all rows but for rounding, residuals have no scale of their own.
  const least = leastScale(batch);
  const scaleBy = (of: typeof spread, t: Vector): number =>
    Math.max(freedom * of(risk.residuals(t, room), batch.weights), least);
  if (known !== 'auto') return { ...named(study, known, few), residualScale: scaleBy(spread, few) };
  // Most rows may lie on the line exactly, and the others tell nothing of it then.
  const scaleFrom = (t: Vector): number => scaleBy(medianSpread, t);

  const leverage = leverageOf(batch, study.weights, intercept);
  const squares = leverage.squares(batch.columns, batch.rows);
  const byLeverage = product(leverage.weights(squares), study.weights);
  const settled = (loss: Loss, t: Vector, rows: number): Vector =>
    reweigh(rowsBetween(batch, 0, rows), loss, t, { ...study, weights: byLeverage.subarray(0, rows) });
  // Few rows a coefficient can be fitted all too well once some are left out: the scale shrinks with them, more are left out, and what remains says nothing of the others. So theirs stays that of pseudo-Huber's fit,
  // and the loss leaves out hardly any.
  const isShort = isShortOf(study.weights, risk.size);
  const mildest = mildestLoss(scaleFrom(few));
  // Rows that do not belong blow the first scale up; without them it settles in a second round, and a third that sees all rows. Geman and McClure's slope is never quite 0,
  // so that from a rough start there is a way back.
  const first = isShort ? few : settled(gemanMcClure(WITHIN_REACH * scaleFrom(few)), few, fewOf(study));
  const surest = settled((isShort ? mildest : surestLoss(scaleFrom(first))).loss, first, batch.rows);
  const scale = scaleFrom(isShort ? few : surest);
  const residuals = risk.residuals(surest, room);
  negate(residuals);
  if (twoValues(batch) !== null || areTargetsTied(batch, residuals, WITHIN_REACH * scale))
    return meanEstimate(study, risk, surest);
  const tuned = isShort
    ? { loss: mildest, isWeighted: false }
    : chooseTuning(batch, {
        intercept,
        leverage,
        squares,
        weights: study.weights,
        byLeverage,
        residuals,
        scale,
        rows: runRows,
      });
  const rows = fewOf(study);
  const even = evenTuning(rowsBetween(batch, 0, rows), tuned, {
    intercept,
    leverage,
    weights: study.weights.subarray(0, rows),
    byLeverage: byLeverage.subarray(0, rows),
    t: surest,
    scale,
    rows: runRows,
  });
  const estimateOf = ({ loss: { loss }, isWeighted }: Tuning): Vector =>
    reweigh(batch, loss, surest, { ...study, weights: isWeighted ? byLeverage : study.weights });
  const found = countingGroups(
    batch,
    { tuning: even, t: estimateOf(even) },
    { risk, scale, runRows, estimateOf },
  );
  const chosen = countingFar(batch, found, {
    residuals: risk.residuals(found.t, room),
    scale,
    estimateOf,
    isCarriedBy: other =>
      isCarriedAway(
        rowsBetween(batch, 0, rows),
        { chosen: found.tuning, other },
        {
          intercept,
          leverage,
          weights: study.weights.subarray(0, rows),
          byLeverage: byLeverage.subarray(0, rows),
          t: found.t,
        },
      ),
  });
  const { loss: own, isWeighted } = chosen.tuning;
  const weights = isWeighted ? byLeverage : study.weights;
  return {
    loss: own,
    t: chosen.t,
    isEstimate: true,
    concentration: concentrationOf(squares),
    residualScale: scale,
    ...(isWeighted && { leverage, weights }),
  };
}

interface Tuned {
  readonly tuning: Tuning;
  readonly t: Vector;
}

/**
 * Among few rows nobody can tell a noisy group from outliers by how the loss curves. Where a group is left out in good part, its rows are to count after all, if the fit of the other rows stays the same but for
 * chance: of rows that do not belong, a coefficient of their own takes up what they do.
 */
function countingGroups(
  batch: SampleBatch,
  chosen: Tuned,
  {
    risk,
    scale,
    runRows,
    estimateOf,
  }: {
    readonly risk: WeightedRisk;
    readonly scale: number;
    readonly runRows: number;
    readonly estimateOf: (tuning: Tuning) => Vector;
  },
): Tuned {
  const residuals = risk.residuals(chosen.t, new Float64Array(batch.rows));
  const groups = leftOutGroups(batch, residuals, { loss: chosen.tuning.loss.loss, of: 'levels' });
  if (groups.length === 0) return chosen;
  const isOther = Uint8Array.from(residuals, (_, i) =>
    batch.weights?.[i] === 0 || groups.some(({ column }) => batch.columns[column]![i] !== 0) ? 0 : 1,
  );
  // In part, of what chance makes of an estimate.
  const chance = (SAME_FIT * scale ** 2 * risk.size) / runRows;
  for (const scales of COUNTING) {
    const tuning = { loss: lossByName('pseudo-huber', { parameter: scales * scale }), isWeighted: true };
    const t = estimateOf(tuning);
    const moved = risk.residuals(t, new Float64Array(batch.rows));
    let [squares, others] = [0, 0];
    for (let i = 0; i < batch.rows; i++) {
      squares += isOther[i]! * (moved[i]! - residuals[i]!) ** 2;
      others += isOther[i]!;
    }
    if (squares <= chance * others) return { tuning, t };
  }
  return chosen;
}

/** Of rows far out in a feature likewise, where they are enough to show whether they carry the estimate to one side, and do not: noise grows with the feature then. */
function countingFar(
  batch: SampleBatch,
  found: Tuned,
  {
    residuals,
    scale,
    estimateOf,
    isCarriedBy,
  }: {
    readonly residuals: Float64Array;
    readonly scale: number;
    readonly estimateOf: (tuning: Tuning) => Vector;
    readonly isCarriedBy: (tuning: Tuning) => boolean;
  },
): Tuned {
  const { loss } = found.tuning.loss;
  const least = seenRows(found.t.length);
  const groups = leftOutGroups(batch, residuals, { loss, of: 'numbers' });
  if (!groups.some(({ rows, share }) => rows * share >= least)) return found;
  const tuning = { loss: lossByName('pseudo-huber', { parameter: HUBER_TUNING * scale }), isWeighted: true };
  return isCarriedBy(tuning) ? found : { tuning, t: estimateOf(tuning) };
}

/** In residual scales. Of a group with much noise hardly a row is within reach of the smaller one, so that the larger is tried first. */
const COUNTING = [4, HUBER_TUNING];

/** Two losses differ by a tenth or two of it where all rows belong. */
const SAME_FIT = 0.4;

/** A little of how far targets are from each other, and some units in their last place: how far they are from 0 says nothing of noise. */
function leastScale({ target, weights }: SampleBatch): number {
  const centre = middle(target.slice(), weights);
  const apart = spread(
    target.map(value => value - centre),
    weights,
  );
  return Math.max(LEAST_SCALE * apart, LAST_PLACES * Math.abs(centre)) || LEAST_SCALE;
}

const LEAST_SCALE = 1e-9;
const LAST_PLACES = 1e-14;

/** In residual scales: nineteen normal residuals of twenty. */
const WITHIN_REACH = 2;

/** A linear loss that was asked for. */
const named = (
  study: Study,
  loss: NamedLoss,
  near: Vector,
): Pick<FirstEstimate, 'loss' | 't' | 'isEstimate'> =>
  hasEstimate(loss.loss)
    ? { loss, t: reweigh(study.batch, loss.loss, near, study), isEstimate: true }
    : { loss, t: near, isEstimate: false };

/**
 * Whether the pilot's rows have an estimate of this loss that may count. Least squares would bend to what a median of means is there for, and of a loss of the user's own
 * nothing is known; they begin at the robust estimate, and it counts for nothing.
 */
export const hasEstimate = ({ targets, kernel }: Loss): boolean =>
  targets.least > -Infinity || ['pseudo-huber', 'geman-mcclure', 'tukey'].includes(kernel?.kind ?? '');

/**
 * Of a target that is not linear. Few rows may have their classes apart though all rows have not; then there is no estimate, and a little ridge, as much as one more row would
 * count, gives a point to begin at.
 */
function generalEstimate(study: Study, loss: Loss): Pick<FirstEstimate, 't' | 'isEstimate' | 'isApart'> {
  const { batch, penalties, intercept } = study;
  const slopes = batch.columns.length;
  const held = penalties.map((penalty, j) => (j < slopes ? penalty + 1 / batch.rows : penalty));
  const near = minimize(weightedRisk(batch, { ...study, penalties: held }), loss, zeros(penalties.length), {
    intercept,
  });
  const risk = weightedRisk(batch, study);
  const t = minimize(risk, loss, near, { intercept });
  const chance = entropy(study);
  const isApart = loss.name.startsWith('logistic')
    ? chance === 0 || risk.value(loss, t) < APART * chance
    : loss.name.startsWith('poisson') && meanOf(batch.target, study.weights) === 0;
  return isApart ? { t: near, isEstimate: false, isApart } : { t, isEstimate: true };
}

/** Least squares, over all rows alike. */
function meanEstimate({ batch, intercept }: Study, risk: WeightedRisk, from: Vector): FirstEstimate {
  const loss = lossByName('squared');
  const t = minimize(risk, loss.loss, from, { intercept });
  const sizes = risk.residuals(t, new Float64Array(batch.rows)).map(Math.abs);
  return { loss, t, isEstimate: true, residualScale: 1.2533 * meanOf(sizes, batch.weights) };
}

/** Residuals of a fit are smaller than errors, by the root of the share of rows that its coefficients do not use up. */
function freedomFactor(weights: Float64Array, coefficients: number): number {
  const rows = countingIn(weights);
  return Math.sqrt(rows / Math.max(1, rows - coefficients));
}

const countingIn = (weights: Float64Array): number =>
  weights.reduce((count, weight) => (weight > 0 ? count + 1 : count), 0);

const isShortOf = (weights: Float64Array, coefficients: number): boolean =>
  countingIn(weights) < ENOUGH_A_COEFFICIENT * coefficients;

/** Rows, for a choice among losses that leave some out. */
export const ENOUGH_A_COEFFICIENT = 10;

/** A logistic risk of this share of what the classes' frequencies alone leave is one that goes to 0. */
const APART = 0.01;

function entropy({ batch, weights }: Study): number {
  const share = meanOf(batch.target, weights);
  const part = (p: number): number => (p > 0 ? -p * Math.log(p) : 0);
  return part(share) + part(1 - share);
}

/**
 * From the medians' line on: three rounds of scale and estimate, which is where the scale settles. Once over all rows by their leverage, once over the half nearest to the
 * middle, where no cluster of far rows can pull, and once over either side of it, one of which has no cluster that stands closer by; whichever is closest to most of the rows is the best one.
 */
function nearEstimate(study: Study): Vector {
  const { intercept, penalties } = study;
  const size = penalties.length;
  const few = rowsBetween({ ...study.batch, weights: study.weights }, 0, fewOf(study));
  const counts = few.weights!;
  // Medians without weights are much faster.
  const given = study.batch.weights && counts;
  const freedom = freedomFactor(counts, size);
  const room = new Float64Array(few.rows);
  const leverage = leverageOf(few, counts, intercept);
  const byLeverage = leverage.weights(leverage.squares(few.columns, few.rows));
  const huberBy = (weights: Float64Array, from: Vector): { readonly t: Vector; readonly scale: number } => {
    const options = { ...study, weights: product(weights, counts) };
    const risk = weightedRisk(few, options);
    const scaleAt = (t: Vector): number => freedom * spread(risk.residuals(t, room), given);
    let t = from;
    for (let round = 0; round < 3; round++) {
      t = reweigh(few, pseudoHuber(HUBER_TUNING * (scaleAt(t) || 1)), t, options);
    }
    return { t, scale: scaleAt(t) };
  };
  const medians = zeros(size);
  if (intercept) {
    room.set(few.target);
    medians[size - 1] = middle(room, given);
  }
  const all = huberBy(byLeverage, medians);
  // Half of few rows can be fitted without saying anything of the others.
  if (isShortOf(counts, size)) return all.t;
  // A column that has one value there stays at what all rows say of it.
  const nearHalf = (far: Float64Array): { readonly t: Vector; readonly scale: number } => {
    const half = middle(far.slice(), given);
    return huberBy(
      far.map(value => (value <= half ? 1 : 0)),
      all.t,
    );
  };
  const along = towardsMean(few, byLeverage);
  return [squaredNorms(few), along, along.map(place => -place)]
    .map(nearHalf)
    .reduce((best, other) => (other.scale < best.scale ? other : best), all).t;
}

/** Places along the line from the medians to the mean, which a cluster draws apart. */
function towardsMean({ rows, columns, weights }: SampleBatch, byLeverage: Float64Array): Float64Array {
  const counts = weights === undefined ? byLeverage : product(byLeverage, weights);
  const places = new Float64Array(rows);
  for (const column of columns) add(places, meanOf(column, counts), column);
  return places;
}

// In functions of their own, which are compiled once for all columns and all weights.

function add(sums: Float64Array, scale: number, column: Float64Array): void {
  for (let i = 0; i < sums.length; i++) sums[i]! += scale * column[i]!;
}

function negate(values: Float64Array): void {
  for (let i = 0; i < values.length; i++) values[i] = -values[i]!;
}
