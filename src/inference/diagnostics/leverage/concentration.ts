import type { RankFactor } from '../../../math/rankFactor.ts';
import { dot, type Vector } from '../../../math/vector.ts';
import { isGlm } from '../../../method/loss/glm.ts';
import { type Loss, slopeOfSlope } from '../../../method/loss/loss.ts';
import type { PilotedRun } from '../../fittedRun.ts';
import type { FittedStudy } from '../../pilot/fittedStudy.ts';
import type { WeightedRisk } from '../../pilot/risk/weightedRisk.ts';
import { concentrationOf } from '../../pilot/robust/leverage.ts';
import type { Study } from '../../pilot/standardized.ts';
import type { Tell } from '../notes.ts';
import type { HighLeverage } from './highLeverage.ts';

/**
 * How concentrated the curvature of a generalized linear model is in a few rows, which is how far off it may be:
 *
 *   sqrt(sum of h^2) / sum of h,   h = w b x'A^-1 x,   A = mean of w b x x'
 *
 *   b -> d slope/d score of the row's loss, w -> its weight
 *
 * Leverage alone does not show these rows. The curvature of a count is its expected value, which grows exponentially
 * along a feature: with a log-normal feature, one row in a thousand may have most of the curvature without having high
 * leverage.
 */
export function curvatureConcentration(
  { batch, weights, intercept }: Study,
  { loss, t, risk, factor }: { loss: Loss; t: Vector; risk: WeightedRisk; factor: RankFactor },
): number {
  const { columns, target } = batch;
  const residuals = risk.residuals(t, new Float64Array(batch.rows));
  const row = new Float64Array(risk.size);
  if (intercept) row[row.length - 1] = 1;
  const shares = new Float64Array(Math.min(batch.rows, CONCENTRATION_ROWS));
  for (let i = 0; i < shares.length; i++) {
    for (let j = 0; j < columns.length; j++) row[j] = columns[j]![i]!;
    const inner = factor.solveFactor(row);
    const bend = slopeOfSlope(loss, target[i]! - residuals[i]!, target[i]!);
    shares[i] = weights[i]! * bend * dot(inner, inner);
  }
  return concentrationOf(shares);
}

/** Enough to see whether a few rows have most of the curvature. */
const CONCENTRATION_ROWS = 20_000;

/**
 * Whether a few rows have most of the curvature of a generalized linear model, as where counts grow along a skewed
 * feature.
 */
export function hasConcentratedCurvature(
  { study, estimate, t, risk, factor }: FittedStudy,
  found: HighLeverage | null,
): boolean {
  const { loss, isSeparated = false } = estimate;
  if (!isGlm(loss) || isSeparated) return false;
  const concentration = Math.max(
    curvatureConcentration(study, { loss: loss.loss, t, risk, factor }),
    // A slope that is too small by chance hides how counts curve at extreme features, but not how extreme those are.
    loss.name === 'poisson' ? found!.concentration : 0,
  );
  const byChance = CONCENTRATED_BY_CHANCE / Math.sqrt(Math.min(study.batch.rows, CONCENTRATION_ROWS));
  return concentration > Math.max(CONCENTRATED, byChance);
}

/** Where the pilot's rows are this concentrated, rows it has not seen have yet more of the curvature. */
const CONCENTRATED = 0.03;

/** n rows of normal features have 1.3/sqrt n or less, of exponential ones 2 to 3. */
const CONCENTRATED_BY_CHANCE = 2.5;

export const concentrationNotes: Tell = ({ pilot, loss, uncertainty }) => {
  if (isExplained(pilot) || !isConcentrated(pilot)) return null;
  const advice = 'use logarithms or ranks of the features, or bound them';
  const few = 'a few rows have such extreme features that they';
  const lossy = "the error may be several times that of `loss: 'squared'`";
  const harm = [
    ...(uncertainty === null
      ? []
      : [`intervals are too narrow${uncertainty.from === 'blocks' ? '' : ' if noise grows with them'}`]),
    // A redescending loss may reject a genuine row for a small error in the slope.
    ...(pilot.estimate.blend !== null || ['tukey', 'geman-mcclure'].includes(loss.name)
      ? [`if noise is light, ${lossy}`]
      : []),
  ];
  return `${few} determine the estimate${harm.length > 0 ? `: ${harm.join(', and ')}` : ''}; ${advice}`;
};

/** Rare levels and codes have notes of their own. */
export const isExplained = ({ columns }: PilotedRun['pilot']): boolean =>
  columns.rare.length > 0 || columns.missingCodes.length > 0;

export const isConcentrated = ({ leverage, rows }: PilotedRun['pilot']): boolean =>
  leverage.concentration >= Math.max(FEW_DETERMINE, OF_FEW / Math.sqrt(rows.positiveWeight));

/** Eleven rows that share all leverage have this much; log-normal features come near it only where rows are few. */
const FEW_DETERMINE = 0.3;

/** n equal rows have 1/sqrt n, and those of one normal feature sqrt 3 times that. */
const OF_FEW = 2;
