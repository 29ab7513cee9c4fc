import type { FittedRun } from '../fittedRun.ts';
import { collinearNotes } from './columns/collinearColumns.ts';
import { constantNotes, droppedNotes } from './columns/droppedColumns.ts';
import { nullTokenNotes, passedOverNotes, roundedNotes, skippedNotes, timeNotes } from './columns/leftOutColumns.ts';
import { classChoice, explainLevels } from './columns/levels.ts';
import { missingCodeNotes } from './columns/missingCodes.ts';
import { unboundedNotes } from './columns/unboundedColumns.ts';
import { rareColumnNotes, weakCoefficientNotes } from './columns/weakCoefficients.ts';
import { concentrationNotes } from './leverage/concentration.ts';
import { highLeverageNotes } from './leverage/highLeverage.ts';
import {
  type ExplainOptions,
  type Explanation,
  listNotes,
  type Note,
  sentences,
  type Tell,
  type Told,
} from './notes.ts';
import { exactNotes, isExact } from './residuals/exactFit.ts';
import { meanNotes } from './residuals/leastSquaresContrast.ts';
import { differenceNotes, narrowNotes, outlierNotes } from './residuals/outliers.ts';
import { duplicateNotes } from './rows/duplicateRows.ts';
import { neighbourNotes, sortedNotes, weightNotes } from './rows/rowOrder.ts';
import { layoutChoices, lossChoice } from './run/choices.ts';
import { aggregateNotes, penaltyNotes, startNotes } from './run/settings.ts';
import { censoringNotes } from './targets/censoredTargets.ts';
import { extremeCountNotes } from './targets/extremeCounts.ts';
import { eventNotes, saturationNotes, separationNotes } from './targets/fewEvents.ts';
import { rareTargetNotes } from './targets/rareTargets.ts';
import { classCodeNotes, twoValueNotes } from './targets/targetValues.ts';

/**
 * How an estimate was made and what its data look like, in plain words. The text reveals facts about the rows, so that
 * it must not be used for private runs.
 */
export function explainEstimate(found: FittedRun, options: ExplainOptions): Explanation {
  const ofLevels = explainLevels(options.levels ?? []);
  const run = found.pilot && { ...found, pilot: found.pilot };
  const ofPilot = <N extends Note>(tell: Tell<N>): Told<N> => run && tell(run, options);
  // Residuals of rounding error are not noise, and may look skewed, extreme or correlated by chance.
  const ofNoise = (tell: Tell): Told<Note> => (run === null || isExact(run) ? null : ofPilot(tell));
  return {
    choices: sentences([ofPilot(lossChoice), ofPilot(layoutChoices), ofLevels.choices, classChoice(options)]),
    ...listNotes([
      ofPilot(separationNotes),
      ofPilot(unboundedNotes),
      ofNoise(narrowNotes),
      ofPilot(saturationNotes),
      ofPilot(eventNotes),
      ofPilot(extremeCountNotes),
      ofPilot(rareTargetNotes),
      ofPilot(twoValueNotes),
      ofPilot(classCodeNotes),
      ofNoise(censoringNotes),
      passedOverNotes(options),
      skippedNotes(options),
      nullTokenNotes(options),
      roundedNotes(options),
      timeNotes(options),
      ofLevels.notes,
      ofPilot(droppedNotes),
      ofPilot(constantNotes),
      ofPilot(collinearNotes),
      ofPilot(rareColumnNotes),
      ofPilot(weakCoefficientNotes),
      ofNoise(differenceNotes),
      ofNoise(outlierNotes),
      ofNoise(meanNotes),
      ofNoise(highLeverageNotes),
      ofPilot(missingCodeNotes),
      ofPilot(concentrationNotes),
      ofPilot(weightNotes),
      ofPilot(duplicateNotes),
      aggregateNotes(found),
      penaltyNotes(found),
      startNotes(found),
      ofPilot(exactNotes),
      ofNoise(neighbourNotes),
      ofPilot(sortedNotes),
    ]),
  };
}
