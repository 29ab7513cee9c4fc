/** High-leverage rows: how they are weighted, and how much of the estimate rests on them. */
import { meanOf } from '../../math/median.ts';
import { isGlm } from '../../method/loss/glm.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';
import type { FittedStudy } from '../pilot/fittedStudy.ts';
import type { LeverageReliance } from '../pilot/leverageReliance.ts';
import { CONCENTRATION_ROWS, curvatureConcentration } from './curvatureConcentration.ts';
import { type HighLeverage, highLeverage } from './highLeverage.ts';

export interface LeverageDiagnostics {
  /** Leverage weights of rows; null where rows have their case weights only. */
  readonly rowWeights: ((batch: SampleBatch) => Float64Array) | null;
  /** Share of rows that these weights cut to less than half. */
  readonly downWeightedShare: number;
  /** Where a slope rests on high-leverage rows that have full weight (leverageReliance.ts). */
  readonly reliance: LeverageReliance | null;
  /**
   * High-leverage rows under a loss that does not bound their influence; null for a loss that rejects them, and where
   * there is no finite estimate.
   */
  readonly highLeverage: Omit<HighLeverage, 'concentration'> | null;
  /** sqrt(sum of d^4) / sum of d^2 of the leverages d^2: near 1 where one row has most of it. */
  readonly concentration: number;
  /**
   * Whether a few rows have most of the curvature of a generalized linear model (curvatureConcentration.ts), as where
   * counts grow along a skewed feature.
   */
  readonly isCurvatureConcentrated: boolean;
}

/** Losses that give a row full influence whatever its leverage. */
const UNBOUNDED_INFLUENCE = ['logistic', 'poisson', 'squared', 'pseudo-huber'];

/** Where the pilot's rows are this concentrated, rows it has not seen have yet more of the curvature. */
const CONCENTRATED = 0.03;

/** n rows of normal features have 1.3/sqrt n or less, of exponential ones 2 to 3. */
const CONCENTRATED_BY_CHANCE = 2.5;

export function leverageDiagnostics(fitted: FittedStudy): LeverageDiagnostics {
  const { study, standardized, estimate, weights } = fitted;
  const { leverage, leverageReliance: reliance, loss, isSeparated = false } = estimate;
  const { toTheta } = standardized;
  const found =
    UNBOUNDED_INFLUENCE.includes(loss.name) && !isSeparated
      ? highLeverage(study, loss.loss, estimate.t)
      : null;
  return {
    rowWeights: leverage
      ? batch => leverage.weights(leverage.squares(standardized.columnsOf(batch), batch.rows))
      : null,
    downWeightedShare: meanOf(
      weights.map((weight, i) => (weight < study.weights[i]! / 2 ? 1 : 0)),
      study.weights,
    ),
    reliance: reliance ? { ...reliance, downWeighted: toTheta(reliance.downWeighted) } : null,
    highLeverage: found && {
      ...found,
      estimates: found.estimates && {
        without: toTheta(found.estimates.without),
        all: toTheta(found.estimates.all),
      },
    },
    concentration: found?.concentration ?? estimate.concentration ?? 0,
    isCurvatureConcentrated: isGlm(loss) && !isSeparated && hasConcentratedCurvature(fitted, found),
  };
}

function hasConcentratedCurvature(
  { study, estimate, t, weights, risk, factor }: FittedStudy,
  found: HighLeverage | null,
): boolean {
  const { loss } = estimate;
  const concentration = Math.max(
    curvatureConcentration({ ...study, weights }, { loss: loss.loss, t, risk, factor }),
    // A slope that is too small by chance hides how counts curve at extreme features, but not how extreme those are.
    loss.name === 'poisson' ? found!.concentration : 0,
  );
  const byChance = CONCENTRATED_BY_CHANCE / Math.sqrt(Math.min(study.batch.rows, CONCENTRATION_ROWS));
  return concentration > Math.max(CONCENTRATED, byChance);
}
