/**
 * What a few rows that no step uses again can tell before a run: which loss suits, a robust first estimate, and
 * coordinates in which the risk around it curves alike in all directions.
 *
 * Features are taken in units of their own (standardized.ts), in which the first estimate is made (firstEstimate.ts).
 *
 *   P -> P'AP = I, A the curvature at the estimate: mean of d slope/d score * x x'
 */
import type { NamedLoss } from '../loss/lossByName.ts';
import { ArgumentError } from '../math/check.ts';
import type { Coordinates } from '../math/coordinates.ts';
import { meanOf } from '../math/meanOf.ts';
import { maxNorm, scaled, type Vector, zeros } from '../math/vector.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import { collinearColumns } from './collinearColumns.ts';
import { curvatureFactor } from './curvatureFactor.ts';
import { droppedColumns, withoutDropped } from './droppedColumns.ts';
import { duplicateShare } from './duplicateShare.ts';
import { extremeCounts } from './extremeCounts.ts';
import { firstEstimate } from './firstEstimate.ts';
import { informationDiagnostics } from './informationDiagnostics.ts';
import { missingCodes } from './missingCodes.ts';
import type { Pilot } from './pilot.ts';
import { pilotCurvature } from './pilotCurvature.ts';
import { requireUsable } from './requireUsable.ts';
import { NO_RESIDUALS, residualDiagnostics } from './residualDiagnostics.ts';
import { type Standardized, standardize } from './standardized.ts';
import type { Study } from './study.ts';
import { weightedRisk } from './weightedRisk.ts';
import { dropZeroWeights, weightSummary } from './weightedRows.ts';

export interface PilotOptions {
  /**
   * `auto`: logistic where the targets are all 0 or 1, squared where they have two other values, or most the same,
   * otherwise one that leaves far rows out, tuned to the residuals.
   */
  readonly loss: NamedLoss | 'auto';
  readonly penalty?: number;
  readonly intercept: boolean;
  /** Rows of the whole run, which the loss is tuned for. */
  readonly runRows?: number;
  /** Names of the columns, for messages. */
  readonly names?: readonly string[];
}

export function studyPilot(given: SampleBatch, options: PilotOptions): Pilot {
  const { loss: wanted, intercept, penalty = 0, runRows = given.rows, names = [] } = options;
  requireUsable(given, names);
  const rows = dropZeroWeights(given);
  const standardized = standardize(rows, intercept);
  const { constant, toTheta } = standardized;
  const size = rows.columns.length + (intercept ? 1 : 0);
  // What rows tell is held against how many there are, so that here a row does so once on average.
  const { unit, effective } = weightSummary(rows);
  // Means of the run are over all rows, those that do not count among them.
  const share = rows.rows / given.rows;
  const unitOfRun = unit * share;
  const study: Study = {
    batch: standardized.batch,
    weights: rows.weights?.map(weight => weight / unit) ?? new Float64Array(rows.rows).fill(1),
    intercept,
    penalties: penaltiesOf(standardized, size, penalty / unitOfRun),
  };
  const found = firstEstimate(study, { loss: wanted, runRows: share * runRows });
  const { loss, t: first, isEstimate, isSeparated = false, residualScale, leverage } = found;

  const weights = found.weights ?? study.weights;
  const weighed = { ...study, weights };
  const risk = weightedRisk(study.batch, weighed);
  const { curvature, slopes, bends, rising } = pilotCurvature(weighed, loss.loss, first, risk);
  const factor = curvatureFactor(curvature, size, intercept);
  // A penalty leaves directions, but none that rows tell of.
  if (factor.kept.length === 0 || rising === 0) throw nowhereToGo(loss);
  const t = withoutDropped(first, factor, curvature);
  const coordinates: Coordinates = {
    size,
    rank: factor.kept.length,
    toTheta: phi => scaled(toTheta(factor.solveTransposed(phi)), 1 / Math.sqrt(unitOfRun)),
    ofGradient: gradient =>
      scaled(factor.solveFactor(standardized.ofGradient(gradient)), 1 / Math.sqrt(unitOfRun)),
  };
  const curved = { loss, t, weights, risk, bends, toTheta };
  const codes = missingCodes(rows);
  const signs =
    residualScale > 0 ? residualDiagnostics(study, rows, { ...curved, residualScale, codes }) : NO_RESIDUALS;
  const wild = loss.name === 'poisson' && !isSeparated ? extremeCounts(study, loss.loss, t) : null;
  const { concentration = 0 } = found;
  const about = {
    first,
    isSeparated,
    concentration,
    factor,
    rising,
    coordinates,
    unitOfRun,
    effective,
    constant,
  };
  return Object.freeze({
    rows: given.rows,
    positiveWeightRows: rows.rows,
    loss,
    start: toTheta(t),
    isEstimate,
    coordinates,
    noise: factor.kept.length * slopes * unit,
    rowWeights: leverage
      ? (batch: SampleBatch) => leverage.weights(leverage.squares(standardized.columnsOf(batch), batch.rows))
      : null,
    downWeightedShare: meanOf(
      weights.map((weight, i) => (weight < study.weights[i]! / 2 ? 1 : 0)),
      study.weights,
    ),
    leverageReliance: found.leverageReliance
      ? { ...found.leverageReliance, downWeighted: toTheta(found.leverageReliance.downWeighted) }
      : null,
    largestWeightShare: maxNorm(study.weights) / study.weights.reduce((sum, weight) => sum + weight, 0),
    missingCodes: codes,
    collinearColumns: collinearColumns(curvature, { factor, intercept, columns: rows.columns }),
    isSeparated,
    constantColumns: constant,
    droppedColumns: droppedColumns(rows.columns.length, factor, constant),
    ...signs,
    duplicateShare: duplicateShare(rows),
    constantTarget: rows.target.every(target => target === rows.target[0]) ? rows.target[0]! : null,
    extremeCounts: wild && { ...wild, without: toTheta(wild.without) },
    ...informationDiagnostics(study, rows, { ...curved, ...about }),
  });
}

const nowhereToGo = ({ loss, parameter }: NamedLoss): ArgumentError =>
  new ArgumentError(
    `no direction is left to go: ${loss.name} leaves out every row, or all columns are 0; ${parameter === undefined ? 'look at the data with inspect' : 'give it a larger parameter, in units of the target'}`,
  );

/** gamma/2 theta_j^2 is gamma/(2 s_j^2) t_j^2, and the intercept's is 0. */
function penaltiesOf({ scales }: Standardized, size: number, penalty: number): Vector {
  const penalties = zeros(size);
  scales.forEach((scale, j) => {
    penalties[j] = penalty / scale ** 2;
  });
  return penalties;
}
