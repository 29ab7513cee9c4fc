/**
 * How an estimate was made and what its data look like, in plain words. The text reveals facts about the rows, so that
 * it must not be used for private runs.
 */
import type { FittedRun } from '../fittedRun.ts';
import { layoutChoices, lossChoice } from './choices.ts';
import {
  collinearNotes,
  constantNotes,
  droppedNotes,
  missingCodeNotes,
  nullTokenNotes,
  passedOverNotes,
  skippedNotes,
  timeNotes,
  unboundedNotes,
} from './columnNotes.ts';
import { divergenceNotes } from './divergenceNotes.ts';
import { classChoice, explainLevels } from './explainLevels.ts';
import type { ExplainOptions, Explanation } from './explanation.ts';
import {
  rareColumnNotes,
  rejectedExtremeNotes,
  rejectedGroupNotes,
  weakCoefficientNotes,
} from './informationNotes.ts';
import { listNotes, type Note } from './note.ts';
import { duplicateNotes, neighbourNotes, sortedNotes } from './orderNotes.ts';
import {
  concentrationNotes,
  highLeverageNotes,
  leverageRelianceNotes,
  outlierNotes,
  weightNotes,
} from './outlierNotes.ts';
import { aggregateNotes, ridgeNotes, startNotes } from './settingNotes.ts';
import {
  censoringNotes,
  classCodeNotes,
  eventNotes,
  exactNotes,
  extremeCountNotes,
  isExact,
  meanNotes,
  narrowNotes,
  saturationNotes,
  separationNotes,
  twoValueNotes,
} from './targetNotes.ts';

export function explainEstimate(found: FittedRun, options: ExplainOptions): Explanation {
  const ofLevels = explainLevels(options.levels ?? []);
  // Residuals of rounding error are not noise, and may look skewed, extreme or correlated by chance. Those of the pilot
  // do not describe coefficients that diverged from its estimate.
  const ofNoise = (notes: readonly Note[]): readonly Note[] =>
    isExact(found) || found.divergence !== null ? [] : notes;
  return {
    choices: [
      ...lossChoice(found),
      ...layoutChoices(found, options),
      ...ofLevels.choices,
      ...classChoice(options),
    ],
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
      ...nullTokenNotes(options),
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
      ...ridgeNotes(found),
      ...startNotes(found),
      ...(found.divergence === null ? exactNotes(found) : []),
      ...ofNoise(neighbourNotes(found, options)),
      ...sortedNotes(found, options),
    ]),
  };
}
