import type { FittedRun } from '../fittedRun.ts';
import { collinearNotes } from './columns/collinearColumns.ts';
import { constantNotes, droppedNotes } from './columns/droppedColumns.ts';
import { passedOverNotes, skippedNotes, timeNotes } from './columns/leftOutColumns.ts';
import { explainLevels } from './columns/levels.ts';
import { missingCodeNotes } from './columns/missingCodes.ts';
import { unboundedNotes } from './columns/unboundedColumns.ts';
import { rareColumnNotes, weakCoefficientNotes } from './columns/weakCoefficients.ts';
import { concentrationNotes } from './leverage/concentration.ts';
import { highLeverageNotes } from './leverage/highLeverage.ts';
import { leverageRelianceNotes } from './leverage/leverageReliance.ts';
import { type ExplainOptions, type Explanation, listNotes, type Note } from './notes.ts';
import { exactNotes, isExact } from './residuals/exactFit.ts';
import { meanNotes } from './residuals/leastSquaresContrast.ts';
import { narrowNotes, outlierNotes } from './residuals/outliers.ts';
import { rejectedExtremeNotes, rejectedGroupNotes } from './residuals/rejectedGroups.ts';
import { duplicateNotes } from './rows/duplicateRows.ts';
import { weightNotes } from './rows/heavyRows.ts';
import { neighbourNotes, sortedNotes } from './rows/rowOrder.ts';
import { layoutChoices, lossChoice } from './run/choices.ts';
import { divergenceNotes } from './run/divergence.ts';
import { aggregateNotes, penaltyNotes, startNotes } from './run/settings.ts';
import { censoringNotes } from './targets/censoredTargets.ts';
import { extremeCountNotes } from './targets/extremeCounts.ts';
import { eventNotes, saturationNotes, separationNotes } from './targets/fewEvents.ts';
import { classCodeNotes, twoValueNotes } from './targets/targetValues.ts';

/**
 * How an estimate was made and what its data look like, in plain words. The text reveals facts about the rows, so that
 * it must not be used for private runs.
 */
export function explainEstimate(found: FittedRun, options: ExplainOptions): Explanation {
  const ofLevels = explainLevels(options.levels ?? []);
  // Residuals of rounding error are not noise, and may look skewed, extreme or correlated by chance. Those of the pilot
  // do not describe coefficients that diverged from its estimate.
  const ofNoise = (notes: readonly Note[]): readonly Note[] =>
    isExact(found) || found.divergence !== null ? [] : notes;
  return {
    choices: [...lossChoice(found), ...layoutChoices(found, options), ...ofLevels.choices],
    ...listNotes([
      ...divergenceNotes(found),
      ...separationNotes(found),
      ...unboundedNotes(found, options),
      ...ofNoise(narrowNotes(found)),
      ...saturationNotes(found),
      ...eventNotes(found),
      ...extremeCountNotes(found, options),
      ...twoValueNotes(found),
      ...classCodeNotes(found),
      ...ofNoise(censoringNotes(found)),
      ...passedOverNotes(options),
      ...skippedNotes(options),
      ...timeNotes(options),
      ...ofLevels.notes,
      ...droppedNotes(found, options),
      ...constantNotes(found, options),
      ...collinearNotes(found, options),
      ...rareColumnNotes(found, options),
      ...weakCoefficientNotes(found, options),
      ...ofNoise(rejectedGroupNotes(found, options)),
      ...ofNoise(rejectedExtremeNotes(found, options)),
      ...ofNoise(outlierNotes(found, options)),
      ...ofNoise(meanNotes(found, options)),
      ...ofNoise(highLeverageNotes(found, options)),
      ...missingCodeNotes(found, options),
      ...concentrationNotes(found),
      ...leverageRelianceNotes(found, options),
      ...weightNotes(found),
      ...duplicateNotes(found),
      ...aggregateNotes(found),
      ...penaltyNotes(found),
      ...startNotes(found),
      ...(found.divergence === null ? exactNotes(found) : []),
      ...ofNoise(neighbourNotes(found, options)),
      ...sortedNotes(found, options),
    ]),
  };
}
