/**
 * What a few rows that no step uses again can tell before a run: which loss suits, a robust first estimate, and coordinates in which the risk around it curves alike in all
 * directions.
 *
 * Features are taken in units of their own (standardized.ts). The first estimate comes from a few of the rows, weighted by leverage, with pseudo-Huber's loss at the scale of the residuals; from
 * there the estimate of the loss at hand is not far. Where the loss is left open and the target linear, it is Geman and McClure's, tuned to the residuals (chooseTuning.ts), or the squared one
 * where most targets are the same (tiedTargets.ts); its estimate over all of these rows is as good as a step's on as many.
 *
 *   P -> P'AP = I, A the curvature at the estimate: mean of d slope/d score * x x'
 */

import { gemanMcClure } from '../loss/gemanMcClure.ts';
import type { Loss } from '../loss/loss.ts';
import { lossByName, type NamedLoss } from '../loss/lossByName.ts';
import { pseudoHuber } from '../loss/pseudoHuber.ts';
import { squared } from '../loss/squared.ts';
import { ArgumentError } from '../math/check.ts';
import type { Coordinates } from '../math/coordinates.ts';
import type { RankFactor } from '../math/rankFactor.ts';
import { dot, maxNorm, type Vector, zeros } from '../math/vector.ts';
import { rowsBetween, type SampleBatch } from '../sample/sampleBatch.ts';
import { chooseTuning, TUNINGS } from './chooseTuning.ts';
import { curvatureFactor, solveBy } from './curvatureFactor.ts';
import { ROWS_PER_COEFFICIENT } from './layout.ts';
import { type Leverage, leverageOf, squaredNorms } from './leverage.ts';
import { minimize, reweigh } from './settle.ts';
import { meanOf, middle, type Standardized, spread, standardize } from './standardized.ts';
import { areTargetsTied } from './tiedTargets.ts';
import { slopeOfSlope, type WeightedRisk, weightedRisk } from './weightedRisk.ts';

export interface Pilot {
  readonly rows: number;
  readonly loss: NamedLoss;
  /** A first estimate, with the intercept last where there is one. */
  readonly start: Vector;
  /** Whether the start is the loss's own estimate over these rows, as good as a step's on as many. */
  readonly isEstimate: boolean;
  /** Where the curvature at the start is the identity. */
  readonly coordinates: Coordinates;
  /** Row-major; singular where a column is left out. */
  readonly curvature: Float64Array;
  /** How much rows count by their features; null where they count alike. */
  readonly rowWeights: ((batch: SampleBatch) => Float64Array) | null;
  /** In those coordinates, the squared error of an estimate from n rows is the n-th part of this. */
  readonly noise: number;
  /** 1.4826 times the median absolute residual, or 1.2533 times the mean one where most targets are the same; 0 for other targets than linear ones. */
  readonly residualScale: number;
  /** The share of rows whose residuals are further off than FAR_OFF scales; 0 for other targets than linear ones. */
  readonly farShare: number;
  /** Columns that leave their usual value in so few rows that the curvature along them is rough. */
  readonly rare: readonly { readonly column: number; readonly rows: number }[];
  /** Whether more rows would tell much more: a column is rare or has not left its value yet, a few rows have most of the leverage, or few classes are in doubt, or events counted. */
  readonly isThin: boolean;
  /** Whether classes are told apart without error, so that there is no finite estimate. */
  readonly isApart: boolean;
  /** Columns that say nothing of their own, and why. */
  readonly leftOut: readonly { readonly column: number; readonly why: 'constant' | 'combination' }[];
}

export interface PilotOptions {
  /** `auto`: logistic where the targets are all 0 or 1, squared where most are the same, otherwise Geman and McClure's at the scale of the residuals. */
  readonly loss: NamedLoss | 'auto';
  readonly penalty?: number;
  readonly intercept: boolean;
  /** Rows of the whole run, which the loss is tuned for. */
  readonly runRows?: number;
  /** Names of the columns, for messages. */
  readonly names?: readonly string[];
}

/** The robust efficiency of pseudo-Huber is 95 % under normal errors at this many residual scales. */
export const HUBER_TUNING = 1.345;

/** In residual scales: one normal residual in five hundred million is so far off. */
export const FAR_OFF = 6;

/** The first estimates need only be near. */
const FEW_ROWS = 5000;

const fewOf = ({ batch, penalties }: Study): number =>
  Math.min(batch.rows, Math.max(FEW_ROWS, 50 * penalties.length));

export function studyPilot(batch: SampleBatch, options: PilotOptions): Pilot {
  const { intercept, penalty = 0, names = [] } = options;
  requireUsable(batch, names);
  const standardized = standardize(batch, intercept);
  const size = batch.columns.length + (intercept ? 1 : 0);
  const study: Study = {
    batch: standardized.batch,
    weights: batch.weights ?? new Float64Array(batch.rows).fill(1),
    intercept,
    penalties: penaltiesOf(standardized, size, penalty),
  };
  const {
    loss,
    t: first,
    isEstimate,
    isApart = false,
    concentration = 0,
    residualScale,
    leverage,
    weights,
  } = estimateOf(study, options);

  const weighed = { ...study, weights: weights ?? study.weights };
  const risk = weightedRisk(study.batch, weighed);
  const { curvature, slopes, bends } = curvatureAt(weighed, loss.loss, first, risk);
  const factor = curvatureFactor(curvature, size, intercept);
  const t = withoutLeftOut(first, factor, curvature);
  const leftOut = batch.columns.flatMap((_, column) => {
    if (factor.kept.includes(column)) return [];
    const why = standardized.constant.includes(column) ? ('constant' as const) : ('combination' as const);
    return [{ column, why }];
  });
  const rare = rareOf(study.batch, standardized.constant);
  // A class that might as well be the other bends by 1/4, a count by what is expected of it.
  const telling = loss.name === 'logistic' ? 4 * bends : loss.name === 'poisson' ? bends : Infinity;
  return Object.freeze({
    rows: batch.rows,
    loss,
    start: standardized.toTheta(t),
    isEstimate,
    coordinates: {
      size,
      rank: factor.kept.length,
      toTheta: (phi: Vector) => standardized.toTheta(factor.solveTransposed(phi)),
      ofGradient: (gradient: Vector) => factor.solveFactor(standardized.ofGradient(gradient)),
    },
    curvature: inTheta(curvature, standardized, size),
    noise: factor.kept.length * slopes,
    rowWeights:
      leverage === undefined
        ? null
        : (batch: SampleBatch) =>
            leverage.weights(leverage.squares(standardized.columnsOf(batch), batch.rows)),
    residualScale,
    farShare:
      residualScale > 0
        ? shareBeyond(FAR_OFF * residualScale, risk.residuals(t, new Float64Array(batch.rows)), study)
        : 0,
    rare,
    isThin:
      telling < ROWS_PER_COEFFICIENT * size ||
      concentration > MOST_CONCENTRATED ||
      rare.length > 0 ||
      standardized.constant.length > 0,
    isApart,
    leftOut,
  });
}

/** The same predictions with 0 for columns that are left out: what they had goes to the columns that make them up. */
function withoutLeftOut(t: Vector, factor: RankFactor, curvature: Float64Array): Vector {
  const { size, kept } = factor;
  const found = t.slice();
  for (let j = 0; j < size; j++) {
    if (kept.includes(j)) continue;
    const made = solveBy(factor, curvature.subarray(j * size, (j + 1) * size));
    for (const k of kept) found[k]! += made[k]! * t[j]!;
    found[j] = 0;
  }
  return found;
}

/** Normal features of 100 rows a coefficient have 0.1 and less. */
const MOST_CONCENTRATED = 0.1;

const FEW_TELLING = 100;

/** In standardized units the usual value is 0. */
function rareOf({ rows, columns }: SampleBatch, constant: readonly number[]): Pilot['rare'] {
  return columns.flatMap((values, column) => {
    if (constant.includes(column)) return [];
    const telling = values.reduce((count, value) => (value === 0 ? count : count + 1), 0);
    return telling < Math.min(FEW_TELLING, rows / 10) ? [{ column, rows: telling }] : [];
  });
}

const shareBeyond = (limit: number, values: Float64Array, { weights }: Pick<Study, 'weights'>): number =>
  meanOf(
    values.map(value => (Math.abs(value) > limit ? 1 : 0)),
    weights,
  );

/** Rows in standardized units, and how they count. */
interface Study {
  readonly batch: SampleBatch;
  readonly weights: Float64Array;
  readonly intercept: boolean;
  readonly penalties: Vector;
}

/** gamma/2 theta_j^2 is gamma/(2 s_j^2) t_j^2, and the intercept's is 0. */
function penaltiesOf({ scales }: Standardized, size: number, penalty: number): Vector {
  const penalties = zeros(size);
  scales.forEach((scale, j) => {
    penalties[j] = penalty / scale ** 2;
  });
  return penalties;
}

interface FirstEstimate {
  readonly loss: NamedLoss;
  readonly t: Vector;
  readonly isEstimate: boolean;
  readonly isApart?: boolean;
  /** sqrt(sum of d^4) / sum of d^2, d^2 the leverage of rows: how far off moments of so many rows may be, by the few that are furthest out; 0 where nobody looked. */
  readonly concentration?: number;
  readonly residualScale: number;
  /** Where rows count by it, with the weights that the pilot's rows then have. */
  readonly leverage?: Leverage;
  readonly weights?: Float64Array;
}

function estimateOf(study: Study, { loss, runRows }: PilotOptions): FirstEstimate {
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
  const scaleAt = (t: Vector): number => freedom * spread(risk.residuals(t, room), batch.weights);
  if (known !== 'auto') return { ...named(study, known, few), residualScale: scaleAt(few) || 1 };

  // Where a line fits all rows but for rounding, residuals have no scale of their own.
  const least = LEAST_SCALE * (spread(batch.target.slice(), batch.weights) || 1);
  const leverage = leverageOf(batch, study.weights, intercept);
  const squares = leverage.squares(batch.columns, batch.rows);
  const byLeverage = leverage.weights(squares).map((weight, i) => weight * study.weights[i]!);
  const surestFrom = (t: Vector, scale: number, rows: number): Vector =>
    reweigh(rowsBetween(batch, 0, rows), gemanMcClure(TUNINGS[0]! * scale), t, {
      ...study,
      weights: byLeverage.subarray(0, rows),
    });
  // Rows that do not belong blow the first scale up; without them it settles in a second round, and a third that sees all rows.
  const first = surestFrom(few, Math.max(scaleAt(few), least), fewOf(study));
  const surest = surestFrom(first, Math.max(scaleAt(first), least), batch.rows);
  const scale = Math.max(scaleAt(surest), least);
  const residuals = risk.residuals(surest, new Float64Array(batch.rows)).map(residual => -residual);
  if (areTargetsTied(batch, residuals, TUNINGS[0]! * scale)) return meanEstimate(study, risk, surest);
  const { q, isWeighted } = chooseTuning(batch, {
    intercept,
    leverage,
    squares,
    weights: study.weights,
    residuals,
    scale,
    rows: runRows ?? batch.rows,
  });
  const chosen = lossByName('geman-mcclure', { parameter: q });
  const weights = isWeighted ? byLeverage : study.weights;
  return {
    loss: chosen,
    t: reweigh(batch, chosen.loss, surest, { ...study, weights }),
    isEstimate: true,
    concentration: Math.sqrt(dot(squares, squares)) / squares.reduce((sum, square) => sum + square, 0),
    residualScale: scale,
    ...(isWeighted && { leverage, weights }),
  };
}

const LEAST_SCALE = 1e-9;

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
  targets.least > -Infinity || kernel?.kind === 'pseudo-huber' || kernel?.kind === 'geman-mcclure';

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
  const isApart = loss.name.startsWith('logistic') && (chance === 0 || risk.value(loss, t) < APART * chance);
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
  const rows = weights.reduce((count, weight) => (weight > 0 ? count + 1 : count), 0);
  return Math.sqrt(rows / Math.max(1, rows - coefficients));
}

/** A logistic risk of this share of what the classes' frequencies alone leave is one that goes to 0. */
const APART = 0.01;

function entropy({ batch, weights }: Study): number {
  const share = meanOf(batch.target, weights);
  const part = (p: number): number => (p > 0 ? -p * Math.log(p) : 0);
  return part(share) + part(1 - share);
}

/**
 * From the medians' line on: three rounds of scale and estimate, which is where the scale settles. Once over all rows by their leverage, and once over the half nearest to the
 * middle, where no cluster of far rows can pull; whichever is closer to most of the rows is the better one.
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
  const huberBy = (weights: Float64Array): { readonly t: Vector; readonly scale: number } => {
    const risk = weightedRisk(few, { ...study, weights: weights.map((weight, i) => weight * counts[i]!) });
    const scaleAt = (t: Vector): number => freedom * spread(risk.residuals(t, room), given);
    let t = zeros(size);
    if (intercept) {
      room.set(few.target);
      t[size - 1] = middle(room, given);
    }
    for (let round = 0; round < 3; round++) {
      t = minimize(risk, pseudoHuber(HUBER_TUNING * (scaleAt(t) || 1)), t, { intercept });
    }
    return { t, scale: scaleAt(t) };
  };
  const all = huberBy(byLeverage);
  // Half of few rows can be fitted without saying anything of the others.
  if (few.rows < 10 * size) return all.t;
  const norms = squaredNorms(few);
  const half = middle(norms.slice(), given);
  const inner = huberBy(norms.map(square => (square <= half ? 1 : 0)));
  return inner.scale < all.scale ? inner.t : all.t;
}

/** The curvature at a point; mean slope^2 over mean bend, which is the noise of one coordinate; and the sum of all bends. */
function curvatureAt(
  { batch, weights, penalties, intercept }: Study,
  loss: Loss,
  t: Vector,
  risk: WeightedRisk,
): { curvature: Float64Array; slopes: number; bends: number } {
  const { target, rows } = batch;
  const { curvature } = risk.derivatives(loss, t);
  const residuals = risk.residuals(t, new Float64Array(rows));
  let [squares, bends] = [0, 0];
  for (let i = 0; i < rows; i++) {
    const score = target[i]! - residuals[i]!;
    squares += (weights[i]! * loss.slope(score, target[i]!)) ** 2;
    bends += weights[i]! * slopeOfSlope(loss, score, target[i]!);
  }
  const slopes = squares / bends;
  const moments = risk.derivatives(squared(), t).curvature;
  const factor = curvatureFactor(curvature, penalties.length, intercept);
  // A loss that is not convex may curve down in directions that few rows have; on average over directions it does not.
  const isSound = factor.kept.length === curvatureFactor(moments, penalties.length, intercept).kept.length;
  if (isSound) return { curvature, slopes, bends };
  const level = bends / rows;
  const size = penalties.length;
  return {
    curvature: moments.map((value, at) => {
      const penalty = at % (size + 1) === 0 ? penalties[at / (size + 1)]! : 0;
      return level * (value - penalty) + penalty;
    }),
    slopes,
    bends,
  };
}

/** E'AE, where t = E theta. */
function inTheta(curvature: Float64Array, { ofTheta }: Standardized, size: number): Float64Array {
  const units = Array.from({ length: size }, (_, j) => {
    const unit = zeros(size);
    unit[j] = 1;
    return ofTheta(unit);
  });
  const images = units.map(unit =>
    unit.map((_, i) => unit.reduce((sum, value, k) => sum + curvature[i * size + k]! * value, 0)),
  );
  const turned = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      const value = units[i]!.reduce((sum, own, k) => sum + own * images[j]![k]!, 0);
      turned[i * size + j] = value;
      turned[j * size + i] = value;
    }
  }
  return turned;
}

function requireUsable(batch: SampleBatch, names: readonly string[]): void {
  if (batch.weights?.every(weight => weight === 0)) {
    throw new ArgumentError(
      `none of the ${batch.rows} pilot rows counts: all have weight 0, or values that cannot be used`,
    );
  }
  const isLarge = (column: Float64Array): boolean => maxNorm(column) > 1e150;
  const large = batch.columns.flatMap((column, j) =>
    isLarge(column) ? [`column ${JSON.stringify(names[j] ?? j)}`] : [],
  );
  if (isLarge(batch.target)) large.push('the target');
  if (large.length > 0) {
    throw new ArgumentError(
      `values are too large to square, in ${large.join(', ')}; divide them by a power of ten`,
    );
  }
}
