/**
 * The pilot's rows at the first estimate: the weights, the risk and its curvature A there. The diagnostics of rows,
 * columns, targets, residuals and leverage all start from this record.
 */

import { ArgumentError } from '../../errors.ts';
import type { RankFactor } from '../../math/rankFactor.ts';
import type { Vector } from '../../math/vector.ts';
import type { NamedLoss } from '../../method/loss/lossByName.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';
import { withoutDropped } from '../diagnostics/droppedColumns.ts';
import { curvatureFactor } from './curvatureFactor.ts';
import { type PilotCurvature, pilotCurvature } from './pilotCurvature.ts';
import type { Standardized } from './standardized.ts';
import type { Study } from './study.ts';
import type { StudyEstimate } from './studyEstimate.ts';
import { type WeightedRisk, weightedRisk } from './weightedRisk.ts';

export interface FittedStudy {
  /** Standardized rows with their case weights. */
  readonly study: Study;
  /** The same rows in the units of the data. */
  readonly rows: SampleBatch;
  readonly standardized: Standardized;
  readonly estimate: StudyEstimate;
  /** The estimate in standardized units, with coefficient 0 for dropped columns. */
  readonly t: Vector;
  /** Case weights, multiplied by leverage weights where the estimate uses these. */
  readonly weights: Float64Array;
  /** With those weights. */
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
  const { loss, t, weights = study.weights } = estimate;
  const weighted = { ...study, weights };
  const risk = weightedRisk(study.batch, weighted);
  const curvature = pilotCurvature(weighted, loss.loss, t, risk);
  const factor = curvatureFactor(curvature.matrix, risk.size, study.intercept);
  // A penalty alone gives every direction curvature, but the rows then determine none of them.
  if (factor.kept.length === 0 || curvature.positive === 0) throw nothingDetermined(loss);
  return {
    study,
    rows,
    standardized,
    estimate,
    t: withoutDropped(t, factor, curvature.matrix),
    weights,
    risk,
    curvature,
    factor,
  };
}

const nothingDetermined = ({ loss, parameter }: NamedLoss): ArgumentError =>
  new ArgumentError(
    `the loss has no curvature: ${loss.name} rejects every row, or all columns are 0; ${parameter === undefined ? 'look at the data with inspect' : 'give it a larger parameter, in units of the target'}`,
  );
