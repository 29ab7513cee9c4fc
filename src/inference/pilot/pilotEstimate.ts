/**
 * The pilot's estimate in the units of the data, and coordinates P in which the risk around it has unit curvature:
 *
 *   P'AP = I,   A -> the curvature at the estimate: mean of d slope/d score * x x'
 */

import type { Coordinates } from '../../math/coordinates.ts';
import { scaled, type Vector } from '../../math/vector.ts';
import type { NamedLoss } from '../../method/loss/lossByName.ts';
import { ROWS_PER_COEFFICIENT } from '../../plan/layout.ts';
import type { FittedStudy } from './fittedStudy.ts';
import type { WeightSummary } from './weightedRows.ts';

export interface PilotEstimate {
  readonly loss: NamedLoss;
  /** With the intercept last, where there is one. */
  readonly theta: Vector;
  /** Whether theta minimises the loss over the pilot's rows, so that it is worth as much as a step on that many. */
  readonly isMinimum: boolean;
  /** Whether classes are perfectly separated, or all counts are 0, so that there is no finite estimate. */
  readonly isSeparated: boolean;
  /** Whether the parameter of a robust loss is so far below the residuals that hardly any row has curvature. */
  readonly isLossTooNarrow: boolean;
  /** Where the curvature at theta is the identity. */
  readonly coordinates: Coordinates;
  /** The squared error of an estimate from n rows is noise/n in these coordinates. */
  readonly noise: number;
}

/**
 * Of the rows. A row below the parameter of a robust loss has curvature 1, one far beyond it almost none: with a
 * parameter of 1.345 residual scales, four rows in five have it.
 */
const NARROW = 0.1;

export function pilotEstimate(
  { study, standardized, estimate, t, curvature, factor }: FittedStudy,
  { mean, meanOfRun }: WeightSummary,
): PilotEstimate {
  const { loss, isMinimum, isSeparated = false } = estimate;
  const size = study.penalties.length;
  const unit = 1 / Math.sqrt(meanOfRun);
  return {
    loss,
    theta: standardized.toTheta(t),
    isMinimum,
    isSeparated,
    isLossTooNarrow:
      loss.parameter !== undefined &&
      curvature.positive < Math.min(ROWS_PER_COEFFICIENT * size, NARROW * study.batch.rows),
    coordinates: {
      size,
      rank: factor.kept.length,
      toTheta: phi => scaled(standardized.toTheta(factor.solveTransposed(phi)), unit),
      ofGradient: gradient => scaled(factor.solveFactor(standardized.ofGradient(gradient)), unit),
    },
    noise: factor.kept.length * curvature.noise * mean,
  };
}
