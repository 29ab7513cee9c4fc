import { ArgumentError, refuse } from '../../errors.ts';
import type { Coordinates } from '../../math/coordinates.ts';
import { maxNorm, scaled, type Vector, zeros } from '../../math/vector.ts';
import type { NamedLoss } from '../../method/loss/lossByName.ts';
import { ROWS_PER_COEFFICIENT } from '../../plan/layout.ts';
import { LEAST_WEIGHT, type SampleBatch } from '../../sample/sampleBatch.ts';
import { counted } from '../../words.ts';
import { type Diagnosis, diagnose } from '../diagnostics/diagnose.ts';
import { type Shortage, shortageOf } from '../diagnostics/run/shortage.ts';
import { noiseOf, type PilotBlend, pilotBlend } from './blend/pilotBlend.ts';
import { firstEstimate } from './firstEstimate.ts';
import { type FittedStudy, fittedStudy } from './fittedStudy.ts';
import {
  dropZeroWeights,
  type Standardized,
  type Study,
  standardize,
  type WeightSummary,
  weightSummary,
} from './standardized.ts';

/** What a few rows that no step uses again show before a run. */
export interface Pilot extends Diagnosis {
  readonly estimate: PilotEstimate;
  /** Why more rows would be much better; null where they would not. */
  readonly shortage: Shortage | null;
}

/** What the pilot is asked to find, and what it is told. */
export interface PilotOptions {
  /**
   * `auto`: logistic where the targets are all 0 or 1, otherwise Huber's, tuned to the residuals.
   */
  readonly loss: NamedLoss | 'auto';
  /** Whether Huber's fit, where `auto` chose it, is blended with a bisquare fit; false unless given. */
  readonly isBlended?: boolean;
  /** The ridge penalty; none unless given. */
  readonly penalty?: number;
  /** Whether the model has an intercept. */
  readonly intercept: boolean;
  /** Names of the columns, for messages. */
  readonly names?: readonly string[];
}

/**
 * What a few rows that no step uses again show before a run: which loss suits, a robust first estimate, coordinates in
 * which the risk around it has the same curvature in all directions, and what a user should know about the data.
 */
export function studyPilot(given: SampleBatch, options: PilotOptions): Pilot {
  const { loss, intercept, penalty = 0, isBlended = false, names = [] } = options;
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
  const fitted = fittedStudy(study, rows, standardized, firstEstimate(study, { loss, rows, isBlended }));
  const estimate = pilotEstimate(fitted, weights);
  const { coordinates } = estimate;
  const found = { estimate, ...diagnose(given, fitted, { coordinates, meanWeight: weights.meanOfRun }) };
  return Object.freeze({ ...found, shortage: shortageOf(fitted, found, weights) });
}

/** gamma/2 theta_j^2 is gamma/(2 s_j^2) t_j^2, and the intercept's is 0. */
function penaltiesOf({ scales }: Standardized, intercept: boolean, penalty: number): Vector {
  const penalties = zeros(scales.length + (intercept ? 1 : 0));
  scales.forEach((scale, j) => {
    penalties[j] = penalty / scale ** 2;
  });
  return penalties;
}

/** Squares of larger values, or their sums, overflow. */
export const LARGEST_VALUE = 1e150;

/** Throws where rows cannot be used, and names the columns. */
function requireUsable(batch: SampleBatch, names: readonly string[]): void {
  if (batch.weights?.every(weight => weight === 0)) {
    throw new ArgumentError(
      `none of the ${batch.rows} pilot rows counts: all have weight 0, or values that cannot be used; \`inspect\` tells which columns have none`,
      'ERR_NO_ROWS',
      { rows: batch.rows },
    );
  }
  const odd = batch.weights?.find(weight => !(weight >= 0 && weight < Infinity));
  if (odd !== undefined) refuse('weights', 'be finite numbers of 0 or more', odd);
  if (batch.weights?.every(weight => weight < LEAST_WEIGHT)) {
    throw new ArgumentError(
      `the largest of the \`weights\` of the ${counted(batch.rows, 'pilot row')} is ${maxNorm(batch.weights)}, and numbers that small lose precision; multiply all weights by one number, so that the largest is about 1`,
      'ERR_ARGUMENT',
      { argument: 'weights', value: maxNorm(batch.weights) },
    );
  }
  const large = [...batch.columns, batch.target].flatMap((column, j) => {
    if (maxNorm(column) <= LARGEST_VALUE) return [];
    const name = j < batch.columns.length ? `column ${JSON.stringify(names[j] ?? j)}` : 'the target';
    const odd = column.find(value => !Number.isFinite(value));
    if (odd !== undefined) refuse(name, 'hold finite numbers', odd);
    const beyond = column.filter(value => Math.abs(value) > LARGEST_VALUE);
    const more = beyond.length > 1 ? ` and ${beyond.length - 1} more` : '';
    return [{ name, text: `${name} (${beyond[0]}${more} of ${batch.rows})` }];
  });
  if (large.length > 0) {
    throw new ArgumentError(
      `values beyond ${LARGEST_VALUE} are too large to square, in ${large.map(({ text }) => text).join(', ')}; fix or remove these rows, or divide the whole column by a power of ten`,
      'ERR_TOO_LARGE',
      { columns: large.map(({ name }) => name) },
    );
  }
}

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
  /** The two fits whose weighted mean theta is; null where theta is one fit. */
  readonly blend: PilotBlend | null;
}

/**
 * Of the rows. A row below the parameter of a robust loss has curvature 1, one far beyond it almost none: with a
 * parameter of 1.345 residual scales, four rows in five have it.
 */
const NARROW = 0.1;

/**
 * The pilot's estimate in the units of the data, and coordinates P in which the risk around it has unit curvature:
 *
 *   P'AP = I,   A -> the curvature at the estimate: mean of d slope/d score * x x'
 */
function pilotEstimate(fitted: FittedStudy, { mean, meanOfRun }: WeightSummary): PilotEstimate {
  const { study, standardized, estimate, t, curvature, factor } = fitted;
  const { loss, isMinimum, isSeparated = false } = estimate;
  const size = study.penalties.length;
  const unit = 1 / Math.sqrt(meanOfRun);
  const blend = pilotBlend(fitted, { mean, meanOfRun });
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
    noise: blend === null ? factor.kept.length * curvature.noise * mean : noiseOf(blend),
    blend,
  };
}
