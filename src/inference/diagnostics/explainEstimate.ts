import type { FittedRun } from '../fittedRun.ts';
import { collinearNotes } from './columns/collinearColumns.ts';
import { constantNotes, droppedNotes } from './columns/droppedColumns.ts';
import { nullTokenNotes, passedOverNotes, skippedNotes, timeNotes } from './columns/leftOutColumns.ts';
import { classChoice, explainLevels } from './columns/levels.ts';
import { missingCodeNotes } from './columns/missingCodes.ts';
import { unboundedNotes } from './columns/unboundedColumns.ts';
import { rareColumnNotes, weakCoefficientNotes } from './columns/weakCoefficients.ts';
import { counterfactuals } from './counterfactuals.ts';
import { concentrationNotes } from './leverage/concentration.ts';
import { highLeverageNotes } from './leverage/highLeverage.ts';
import { leverageRelianceNotes } from './leverage/leverageReliance.ts';
import { type ExplainOptions, type Explanation, listNotes, type Note, type Tell } from './notes.ts';
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
  const run = found.pilot && { ...found, pilot: found.pilot };
  const instead = run && counterfactuals(run);
  const ofPilot = <N extends Note>(tell: Tell<N>): readonly N[] => (run ? tell(run, options, instead!) : []);
  // Residuals of rounding error are not noise, and may look skewed, extreme or correlated by chance. Those of the pilot
  // do not describe coefficients that diverged from its estimate.
  const ofNoise = (tell: Tell<Note>): readonly Note[] =>
    run === null || isExact(run) || run.divergence !== null ? [] : ofPilot(tell);
  return {
    choices: [...ofPilot(lossChoice), ...ofPilot(layoutChoices), ...ofLevels.choices, ...classChoice(options)],
    ...listNotes([
      ...divergenceNotes(found),
      ...ofPilot(separationNotes),
      ...ofPilot(unboundedNotes),
      ...ofNoise(narrowNotes),
      ...ofPilot(saturationNotes),
      ...ofPilot(eventNotes),
      ...ofPilot(extremeCountNotes),
      ...ofPilot(twoValueNotes),
      ...ofPilot(classCodeNotes),
      ...ofNoise(censoringNotes),
      ...passedOverNotes(options),
      ...skippedNotes(options),
      ...nullTokenNotes(options),
      ...timeNotes(options),
      ...ofLevels.notes,
      ...ofPilot(droppedNotes),
      ...ofPilot(constantNotes),
      ...ofPilot(collinearNotes),
      ...ofPilot(rareColumnNotes),
      ...ofPilot(weakCoefficientNotes),
      ...ofNoise(rejectedGroupNotes),
      ...ofNoise(rejectedExtremeNotes),
      ...ofNoise(outlierNotes),
      ...ofNoise(meanNotes),
      ...ofNoise(highLeverageNotes),
      ...ofPilot(missingCodeNotes),
      ...ofPilot(concentrationNotes),
      ...ofPilot(leverageRelianceNotes),
      ...ofPilot(weightNotes),
      ...ofPilot(duplicateNotes),
      ...aggregateNotes(found),
      ...penaltyNotes(found),
      ...startNotes(found),
      ...(found.divergence === null ? ofPilot(exactNotes) : []),
      ...ofNoise(neighbourNotes),
      ...ofPilot(sortedNotes),
    ]),
  };
}
