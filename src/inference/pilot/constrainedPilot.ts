import { addScaled, blend, dot, subtract, type Vector, zeros } from '../../math/vector.ts';
import { allButLast } from '../../method/constraint/allButLast.ts';
import type { Constraint } from '../../method/constraint/constraint.ts';
import { nearestIn } from '../../method/constraint/nearestIn.ts';
import { isGlm } from '../../method/loss/glm.ts';
import { type Loss, slopeOfSlope } from '../../method/loss/loss.ts';
import { lossByName, type NamedLoss } from '../../method/loss/lossByName.ts';
import { squared } from '../../method/loss/squared.ts';
import { movedIntercept } from '../../method/rule/centred.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';
import { curvatureFactor, solveBy } from './risk/curvatureFactor.ts';
import { lossCurvatures } from './risk/minimize.ts';
import { type WeightedRisk, weightedRisk } from './risk/weightedRisk.ts';
import { medianOf, robustScale } from './standardized.ts';
import type { Pilot } from './studyPilot.ts';

export interface ConstrainedPilot {
  /** With the estimate over the set, its loss and its noise in place of those of the free estimate. */
  readonly pilot: Pilot;
  /** Row-major, at that estimate. */
  readonly curvature: Float64Array;
  /** Of the features; the curvature is that of slopes and of an intercept at these. Empty without an intercept. */
  readonly centres: Vector;
  /** Of slopes, and of the intercept, which is free. */
  readonly constraint: Constraint;
}

interface ConstrainedPilotOptions {
  /** The set of slopes. */
  readonly constraint: Constraint;
  readonly intercept: boolean;
  readonly penalty?: number;
  /** Whether the pilot chose the loss. */
  readonly isLossOpen: boolean;
}

/**
 * The pilot of a run whose slopes are constrained to a set: the estimate over the set on the pilot's rows, and the
 * curvature there, which differs from that at the free estimate. Features are centred, so that nothing depends on their
 * location; slopes are in the units of the data, as the set is.
 *
 * Each round goes to the point of the set that is nearest, in the norm of the current curvature, to the minimum of a
 * quadratic model. For linear targets that is iteratively reweighted least squares, which lowers the risk even where
 * the loss is not convex; for others Newton's step, halved until the risk falls.
 *
 * A loss that the pilot chose was tuned to the residuals of the free fit. Over a set residuals are larger, and rows
 * that the constrained fit cannot follow are not outliers. So the parameter grows with the scale of the residuals.
 */
export function constrainedPilot(batch: SampleBatch, pilot: Pilot, options: ConstrainedPilotOptions): ConstrainedPilot {
  const { intercept, isLossOpen } = options;
  const { estimate } = pilot;
  const constraint = intercept ? allButLast(options.constraint) : options.constraint;
  const { centres, weights, risk } = centredRisk(batch, options);
  // Perfectly separated classes have no finite estimate; over a set they have one, but far from where the free search
  // stopped.
  const from = estimate.isSeparated ? zeros(risk.size) : estimate.theta;
  const free = intercept ? movedIntercept(from, centres, 1) : from;
  const isMinimum = estimate.isMinimum || isGlm(estimate.loss);
  const isInside = !estimate.isSeparated && constraint.contains(free);

  const settled = ({ loss }: NamedLoss, from: Vector): Vector =>
    isMinimum
      ? minimizeOver(constraint, risk, loss, from)
      : nearestIn(constraint, safeCurvature(risk, loss, from, intercept), from);
  const scaleAt = (u: Vector): number => robustScale(risk.residuals(u, new Float64Array(batch.rows)), batch.weights);
  const first = isInside ? free : settled(estimate.loss, free);
  const { loss, u, growth } =
    !isInside && isLossOpen && estimate.loss.parameter !== undefined
      ? retuned(estimate.loss, first, { usual: scaleAt(free), scaleAt, settled })
      : { loss: estimate.loss, u: first, growth: 1 };
  return {
    pilot: {
      ...pilot,
      estimate: {
        ...estimate,
        loss,
        theta: intercept ? movedIntercept(u, centres, -1) : u,
        isMinimum: isInside ? estimate.isMinimum : isMinimum,
        isSeparated: false,
        noise: isInside ? estimate.noise : (noiseAt(batch, { loss: loss.loss, u, weights, risk }) ?? estimate.noise),
      },
      residuals: { ...pilot.residuals, scale: growth * pilot.residuals.scale },
      columns: { ...pilot.columns, unbounded: [] },
    },
    curvature: safeCurvature(risk, loss.loss, u, intercept),
    centres,
    constraint,
  };
}

/** The risk of rows, with features around their medians. */
function centredRisk(
  batch: SampleBatch,
  { intercept, penalty = 0 }: ConstrainedPilotOptions,
): { readonly centres: Vector; readonly weights: Float64Array; readonly risk: WeightedRisk } {
  const { rows } = batch;
  const features = batch.columns.length;
  const centres = Float64Array.from(intercept ? batch.columns : [], column =>
    medianOf(column.slice(0, rows), batch.weights),
  );
  const columns = batch.columns.map((column, j) => column.map(value => value - (centres[j] ?? 0)));
  const weights = batch.weights ?? new Float64Array(rows).fill(1);
  const penalties = zeros(features + (intercept ? 1 : 0)).fill(penalty, 0, features);
  return { centres, weights, risk: weightedRisk({ ...batch, columns }, { intercept, weights, penalties }) };
}

/** Raises the parameter of the loss with the scale of the residuals until both settle. */
function retuned(
  chosen: NamedLoss,
  from: Vector,
  {
    usual,
    scaleAt,
    settled,
  }: {
    /** The scale of the residuals of the free fit. */
    readonly usual: number;
    readonly scaleAt: (u: Vector) => number;
    readonly settled: (loss: NamedLoss, from: Vector) => Vector;
  },
): { readonly loss: NamedLoss; readonly u: Vector; readonly growth: number } {
  let [loss, u, growth] = [chosen, from, 1];
  for (let round = 0; round < ROUNDS && usual > 0; round++) {
    const before = growth;
    growth = Math.max(1, scaleAt(u) / usual);
    if (Math.abs(growth - before) <= 0.01 * before) break;
    loss = lossByName(loss.name, { parameter: growth * chosen.parameter! });
    u = settled(loss, u);
  }
  return { loss, u, growth };
}

/** The scale settles in two or three. */
const ROUNDS = 6;

/** The variance of one coordinate, times the number of coordinates; null where no row has positive curvature. */
function noiseAt(
  { rows, target }: SampleBatch,
  {
    loss,
    u,
    weights,
    risk,
  }: { readonly loss: Loss; readonly u: Vector; readonly weights: Float64Array; readonly risk: WeightedRisk },
): number | null {
  const residuals = risk.residuals(u, new Float64Array(rows));
  let [squares, curvature] = [0, 0];
  for (let i = 0; i < rows; i++) {
    const score = target[i]! - residuals[i]!;
    squares += (weights[i]! * loss.slope(score, target[i]!)) ** 2;
    curvature += Math.max(0, weights[i]! * slopeOfSlope(loss, score, target[i]!));
  }
  return curvature > 0 ? (risk.size * squares) / curvature : null;
}

function minimizeOver(constraint: Constraint, risk: WeightedRisk, loss: Loss, from: Vector): Vector {
  const isLinear = loss.targets.least === -Infinity;
  let u = from;
  let value = Infinity;
  for (let round = 0; round < 100; round++) {
    const at = isLinear ? risk.reweighted(loss, u) : risk.derivatives(loss, u);
    const factor = curvatureFactor(at.curvature, risk.size, false);
    const whole = factor.kept.length === risk.size ? at.curvature : risk.derivatives(squared(), u).curvature;
    const free = addScaled(u, -1, solveBy(curvatureFactor(whole, risk.size, false), at.gradient));
    const next = nearestIn(constraint, whole, free);
    const isInside = round > 0;
    const fall = dot(at.gradient, subtract(u, next));
    if (isInside && fall <= SETTLED * Math.abs(at.value)) return next;
    let share = 1;
    // A point outside the set has no risk to compare with.
    if (isInside && !isLinear) {
      while (!(risk.value(loss, blend(u, next, share)) <= at.value) && share > 1e-6) share /= 2;
      if (share <= 1e-6 || at.value > value) return u;
    }
    value = isInside ? at.value : Infinity;
    u = blend(u, next, share);
  }
  return u;
}

const SETTLED = 1e-13;

/**
 * The Hessian where it is surely positive definite; otherwise that of reweighted least squares, or the second moments.
 */
function safeCurvature(risk: WeightedRisk, loss: Loss, u: Vector, intercept: boolean): Float64Array {
  const isSound = (matrix: Float64Array): boolean =>
    curvatureFactor(matrix, risk.size, intercept).kept.length === risk.size;
  const { hessian, reweighted, margin } = lossCurvatures(risk, loss, u);
  if (isSound(margin)) return hessian;
  return isSound(reweighted) ? reweighted : risk.derivatives(squared(), u).curvature;
}
