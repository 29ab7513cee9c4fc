import { ArgumentError } from '../../errors.ts';
import type { RankFactor } from '../../math/rankFactor.ts';
import type { Vector } from '../../math/vector.ts';
import { type Loss, slopeOfSlope } from '../../method/loss/loss.ts';
import type { NamedLoss } from '../../method/loss/lossByName.ts';
import { squared } from '../../method/loss/squared.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';
import { withoutDropped } from '../diagnostics/columns/droppedColumns.ts';
import type { StudyBlend } from './blend/blend.ts';
import { curvatureFactor } from './risk/curvatureFactor.ts';
import { lossCurvatures } from './risk/minimize.ts';
import { type WeightedRisk, weightedRisk } from './risk/weightedRisk.ts';
import type { Standardized, Study } from './standardized.ts';

/** An estimate over the rows of a study, in its standardized units. */
export interface StudyEstimate {
  readonly loss: NamedLoss;
  readonly t: Vector;
  /** Whether t minimises the loss over these rows. */
  readonly isMinimum: boolean;
  /** Whether classes are perfectly separated, or all counts are 0, so that there is no finite estimate. */
  readonly isSeparated?: boolean;
  /** Of the leverages (leverage.ts); 0 unless given. */
  readonly concentration?: number;
  /** 0 for targets that are not linear. */
  readonly residualScale: number;
  /** The two fits whose weighted mean t is; absent where t is one fit. */
  readonly blend?: StudyBlend;
}

/**
 * The pilot's rows at the first estimate: the weights, the risk and its curvature A there. The diagnostics of rows,
 * columns, targets, residuals and leverage all start from this record.
 */
export interface FittedStudy {
  /** Standardized rows with their case weights. */
  readonly study: Study;
  /** The same rows in the units of the data. */
  readonly rows: SampleBatch;
  readonly standardized: Standardized;
  readonly estimate: StudyEstimate;
  /** The estimate in standardized units, with coefficient 0 for dropped columns. */
  readonly t: Vector;
  readonly risk: WeightedRisk;
  readonly curvature: PilotCurvature;
  readonly factor: RankFactor;
}

export function fittedStudy(
  study: Study,
  rows: SampleBatch,
  standardized: Standardized,
  estimate: StudyEstimate,
): FittedStudy {
  const { loss, t } = estimate;
  const risk = weightedRisk(study.batch, study);
  // Far from its own minimum a loss may have none.
  const curvature = pilotCurvature(study, loss.loss, estimate.blend?.huber ?? t, risk);
  const factor = curvatureFactor(curvature.matrix, risk.size, study.intercept);
  // A penalty alone gives every direction curvature, but the rows then determine none of them.
  if (factor.kept.length === 0 || curvature.positive === 0) throw nothingDetermined(loss);
  return {
    study,
    rows,
    standardized,
    estimate,
    t: withoutDropped(t, factor, curvature.matrix),
    risk,
    curvature,
    factor,
  };
}

const nothingDetermined = ({ loss, parameter }: NamedLoss): ArgumentError =>
  new ArgumentError(
    `the loss has no curvature: ${loss.name} rejects every row, or all columns are 0; ${parameter === undefined ? 'look at the data with inspect' : 'give it a larger parameter, in units of the target'}`,
    'ERR_CONFLICT',
    { loss: loss.name },
  );

interface PilotCurvature {
  /** Row-major. */
  readonly matrix: Float64Array;
  /** Sum over rows of w d slope/d score, and of its positive values only. */
  readonly total: number;
  readonly positive: number;
  /** Mean (w slope)^2 over the mean curvature of a row: the variance of one coordinate, from one row. */
  readonly noise: number;
}

function pilotCurvature(
  { batch, weights, penalties, intercept }: Study,
  loss: Loss,
  t: Vector,
  risk: WeightedRisk,
): PilotCurvature {
  const { target, rows } = batch;
  const residuals = risk.residuals(t, new Float64Array(rows));
  let [squares, total, positive] = [0, 0, 0];
  for (let i = 0; i < rows; i++) {
    const score = target[i]! - residuals[i]!;
    squares += (weights[i]! * loss.slope(score, target[i]!)) ** 2;
    const own = weights[i]! * slopeOfSlope(loss, score, target[i]!);
    total += own;
    positive += Math.max(0, own);
  }
  return { matrix: safeCurvature(total / rows), total, positive, noise: squares / total };

  /**
   * Where the rows within reach of the loss leave a direction open: second moments of all rows, times the mean
   * curvature.
   */
  function safeCurvature(level: number): Float64Array {
    const size = penalties.length;
    const rankOf = (matrix: Float64Array): number => curvatureFactor(matrix, size, intercept).kept.length;
    const { hessian, reweighted, margin } = lossCurvatures(risk, loss, t);
    const rankOfMargin = rankOf(margin);
    // Full rank: the second moments, which take a pass over all rows, cannot have more.
    if (rankOfMargin === size) return hessian;
    const moments = risk.derivatives(squared(), t).curvature;
    const rank = rankOf(moments);
    if (rankOfMargin === rank) return hessian;
    if (rankOf(reweighted) === rank) return reweighted;
    return moments.map((value, at) => {
      const penalty = at % (size + 1) === 0 ? penalties[at / (size + 1)]! : 0;
      return level * (value - penalty) + penalty;
    });
  }
}
