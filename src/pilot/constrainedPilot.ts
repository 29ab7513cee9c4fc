/**
 * What a pilot tells of a run whose slopes are to stay in a set: the estimate over the set on the pilot's own rows, and
 * the curvature there, which is not that of the best fit of all. Features have their centres taken off, so that nothing
 * depends on where they are; slopes are in the data's own units, as the set is.
 *
 * Each round goes to the point of the set that is nearest, in the norm of the curvature at hand, to where the risk
 * would be least: least squares weighted by slope/r for linear targets, by which the risk falls also where the loss is
 * not convex, and Newton steps, halved until it falls, for others.
 *
 * A loss that the pilot chose was tuned to the residuals of the best fit. Over a set residuals are larger, by what the
 * set keeps the fit from; rows that it cannot follow any more are no outliers. So q grows with the residuals' scale.
 */
import { allButLast } from '../constraint/allButLast.ts';
import type { Constraint } from '../constraint/constraint.ts';
import { nearestIn } from '../constraint/nearestIn.ts';
import type { Loss } from '../loss/loss.ts';
import { lossByName, type NamedLoss } from '../loss/lossByName.ts';
import { slopeOfSlope } from '../loss/slopeOfSlope.ts';
import { squared } from '../loss/squared.ts';
import { addScaled, blend, dot, subtract, type Vector, zeros } from '../math/vector.ts';
import { movedIntercept } from '../rule/centred.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import { curvatureFactor, solveBy } from './curvatureFactor.ts';
import { lossCurvatures } from './lossCurvatures.ts';
import type { Pilot } from './pilot.ts';
import { medianOf, robustScale } from './standardized.ts';
import { type WeightedRisk, weightedRisk } from './weightedRisk.ts';

export interface ConstrainedPilot
  extends Pick<Pilot, 'loss' | 'start' | 'isEstimate' | 'isSeparated' | 'noise' | 'residualScale'> {
  /** Row-major, at the start. */
  readonly curvature: Float64Array;
  /** Of the features; the curvature is that of slopes and of an intercept at these. Empty without an intercept. */
  readonly centres: Vector;
  /** Of slopes, and of the intercept, which is free. */
  readonly constraint: Constraint;
}

export interface ConstrainedPilotOptions {
  /** The set of slopes. */
  readonly constraint: Constraint;
  readonly intercept: boolean;
  readonly penalty?: number;
  /** Whether the pilot chose the loss. */
  readonly isLossOpen: boolean;
}

export function constrainedPilot(
  batch: SampleBatch,
  pilot: Pilot,
  options: ConstrainedPilotOptions,
): ConstrainedPilot {
  const { intercept, penalty = 0, isLossOpen } = options;
  const { rows } = batch;
  const features = batch.columns.length;
  const constraint = intercept ? allButLast(options.constraint) : options.constraint;
  const centres = Float64Array.from(intercept ? batch.columns : [], column =>
    medianOf(column.slice(0, rows), batch.weights),
  );
  const columns = batch.columns.map((column, j) => column.map(value => value - (centres[j] ?? 0)));
  const counts = batch.weights ?? new Float64Array(rows).fill(1);
  const leverageWeights = pilot.rowWeights?.(batch);
  const weights =
    leverageWeights === undefined ? counts : counts.map((count, i) => count * leverageWeights[i]!);
  const penalties = zeros(features + (intercept ? 1 : 0)).fill(penalty, 0, features);
  const risk = weightedRisk({ ...batch, columns }, { intercept, weights, penalties });
  // Classes that are told apart have no finite estimate, but over a set they have one, and it is not near what was
  // found without.
  const from = pilot.isSeparated ? zeros(risk.size) : pilot.start;
  const free = intercept ? movedIntercept(from, centres, 1) : from;
  const isEstimate = pilot.isEstimate || pilot.loss.loss.targets.least > -Infinity;
  const room = new Float64Array(rows);
  const scaleAt = (u: Vector): number => robustScale(risk.residuals(u, room), batch.weights);

  const settled = ({ loss }: NamedLoss, from: Vector): Vector =>
    isEstimate
      ? minimizeOver(constraint, risk, loss, from)
      : nearestIn(constraint, safeCurvature(risk, loss, from, intercept), from);
  let { loss } = pilot;
  const isInside = !pilot.isSeparated && constraint.contains(free);
  let u = isInside ? free : settled(loss, free);
  let growth = 1;
  if (!isInside && isLossOpen && loss.parameter !== undefined) {
    const usual = scaleAt(free);
    for (let round = 0; round < ROUNDS && usual > 0; round++) {
      const before = growth;
      growth = Math.max(1, scaleAt(u) / usual);
      if (Math.abs(growth - before) <= 0.01 * before) break;
      loss = lossByName(loss.name, { parameter: growth * pilot.loss.parameter! });
      u = settled(loss, u);
    }
  }
  return {
    loss,
    isEstimate: isInside ? pilot.isEstimate : isEstimate,
    isSeparated: false,
    start: intercept ? movedIntercept(u, centres, -1) : u,
    curvature: safeCurvature(risk, loss.loss, u, intercept),
    noise: isInside ? pilot.noise : noiseAt(u),
    residualScale: growth * pilot.residualScale,
    centres,
    constraint,
  };

  /** The noise of one coordinate, as many times as there are coordinates. */
  function noiseAt(at: Vector): number {
    const residuals = risk.residuals(at, room);
    let [squares, bends] = [0, 0];
    for (let i = 0; i < rows; i++) {
      const score = batch.target[i]! - residuals[i]!;
      squares += (weights[i]! * loss.loss.slope(score, batch.target[i]!)) ** 2;
      bends += Math.max(0, weights[i]! * slopeOfSlope(loss.loss, score, batch.target[i]!));
    }
    return bends > 0 ? (risk.size * squares) / bends : pilot.noise;
  }
}

/** The scale settles in two or three. */
const ROUNDS = 6;

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
    // From outside of the set there is nothing that the risk could fall below.
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
 * That of the loss where it is surely positive; otherwise that of the least squares that it amounts to, or of all rows
 * alike.
 */
function safeCurvature(risk: WeightedRisk, loss: Loss, u: Vector, intercept: boolean): Float64Array {
  const isSound = (matrix: Float64Array): boolean =>
    curvatureFactor(matrix, risk.size, intercept).kept.length === risk.size;
  const { hessian, reweighted, margin } = lossCurvatures(risk, loss, u);
  if (isSound(margin)) return hessian;
  return isSound(reweighted) ? reweighted : risk.derivatives(squared(), u).curvature;
}
