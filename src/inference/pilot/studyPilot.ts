/**
 * What a few rows that no step uses again show before a run: which loss suits, a robust first estimate, coordinates in
 * which the risk around it has the same curvature in all directions, and what a user should know about the data.
 */

import { type Vector, zeros } from '../../math/vector.ts';
import type { NamedLoss } from '../../method/loss/lossByName.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';
import { columnDiagnostics } from '../diagnostics/columnDiagnostics.ts';
import { leverageDiagnostics } from '../diagnostics/leverageDiagnostics.ts';
import { residualDiagnostics } from '../diagnostics/residualDiagnostics.ts';
import { rowDiagnostics } from '../diagnostics/rowDiagnostics.ts';
import { shortageOf } from '../diagnostics/shortage.ts';
import { targetDiagnostics } from '../diagnostics/targetDiagnostics.ts';
import { firstEstimate } from './firstEstimate.ts';
import { fittedStudy } from './fittedStudy.ts';
import type { Pilot } from './pilot.ts';
import { pilotEstimate } from './pilotEstimate.ts';
import { requireUsable } from './requireUsable.ts';
import { type Standardized, standardize } from './standardized.ts';
import type { Study } from './study.ts';
import { dropZeroWeights, weightSummary } from './weightedRows.ts';

export interface PilotOptions {
  /**
   * `auto`: logistic where the targets are all 0 or 1, squared where they have two other values, or most the same,
   * otherwise one that leaves far rows out, tuned to the residuals.
   */
  readonly loss: NamedLoss | 'auto';
  readonly penalty?: number;
  readonly intercept: boolean;
  /** Rows of the whole run, for which the loss is tuned. */
  readonly runRows?: number;
  /** Names of the columns, for messages. */
  readonly names?: readonly string[];
}

export function studyPilot(given: SampleBatch, options: PilotOptions): Pilot {
  const { loss, intercept, penalty = 0, runRows = given.rows, names = [] } = options;
  requireUsable(given, names);
  const rows = dropZeroWeights(given);
  // Means of the run are over all rows, those of weight 0 among them.
  const share = rows.rows / given.rows;
  const weights = weightSummary(rows, share);
  const standardized = standardize(rows, intercept);
  const study: Study = {
    batch: standardized.batch,
    // With a mean of 1, because sums over rows are compared with how many rows there are.
    weights: rows.weights?.map(weight => weight / weights.mean) ?? new Float64Array(rows.rows).fill(1),
    intercept,
    penalties: penaltiesOf(standardized, intercept, penalty / weights.meanOfRun),
  };
  const fitted = fittedStudy(
    study,
    rows,
    standardized,
    firstEstimate(study, { loss, runRows: share * runRows }),
  );
  const estimate = pilotEstimate(fitted, weights);
  const { coordinates } = estimate;
  const columns = columnDiagnostics(fitted, { coordinates, meanWeight: weights.meanOfRun });
  const leverage = leverageDiagnostics(fitted);
  const { effectiveRows } = weights;
  return Object.freeze({
    rows: rowDiagnostics(given, fitted),
    estimate,
    residuals: residualDiagnostics(fitted, columns.missingCodes),
    leverage,
    targets: targetDiagnostics(fitted),
    columns,
    shortage: shortageOf(fitted, { estimate, columns, leverage, effectiveRows }),
  });
}

/** gamma/2 theta_j^2 is gamma/(2 s_j^2) t_j^2, and the intercept's is 0. */
function penaltiesOf({ scales }: Standardized, intercept: boolean, penalty: number): Vector {
  const penalties = zeros(scales.length + (intercept ? 1 : 0));
  scales.forEach((scale, j) => {
    penalties[j] = penalty / scale ** 2;
  });
  return penalties;
}
