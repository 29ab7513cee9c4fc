/**
 * What an estimate was made by and what its data looked like, in plain words. Of the rows themselves it tells: it is
 * not for private runs.
 */
import type { Estimate } from '../../flow/estimate.ts';
import { astrayNotes } from './astrayNotes.ts';
import { layoutChoices, lossChoice } from './choices.ts';
import {
  alikeNotes,
  codeNotes,
  constantNotes,
  leftOutNotes,
  passedOverNotes,
  skippedNotes,
  timeNotes,
  unboundedNotes,
} from './columnNotes.ts';
import { explainLevels } from './explainLevels.ts';
import type { ExplainOptions, Explanation } from './explanation.ts';
import { concentrationNotes, farNotes, farOutNotes, heaviestNotes, toldByFarNotes } from './farNotes.ts';
import { copyNotes, neighbourNotes, sortedNotes } from './orderNotes.ts';
import { aggregateNotes, ridgeNotes, startNotes } from './settingNotes.ts';
import {
  apartNotes,
  classNotes,
  cutOffNotes,
  eventNotes,
  exactNotes,
  isExact,
  manyNotes,
  meanNotes,
  narrowNotes,
  twoNotes,
  wildNotes,
} from './targetNotes.ts';
import { fewNotes, lostFarNotes, lostNotes, rareNotes } from './tellingNotes.ts';

export function explainEstimate(found: Estimate, options: ExplainOptions): Explanation {
  const ofLevels = explainLevels(options.levels ?? []);
  // What rounding leaves of residuals is no noise, and looks skewed, far off or alike by chance.
  // Nor does the pilot, which they are from, tell of coefficients that are nowhere near its own.
  const ofNoise = (notes: readonly string[]): readonly string[] =>
    isExact(found) || found.astray !== null ? [] : notes;
  return {
    choices: [...lossChoice(found), ...layoutChoices(found, options), ...ofLevels.choices],
    notes: [
      ...astrayNotes(found),
      ...apartNotes(found),
      ...unboundedNotes(found, options),
      ...ofNoise(narrowNotes(found)),
      ...manyNotes(found),
      ...eventNotes(found),
      ...wildNotes(found, options),
      ...twoNotes(found),
      ...classNotes(found),
      ...ofNoise(cutOffNotes(found)),
      ...passedOverNotes(options),
      ...skippedNotes(options),
      ...timeNotes(options),
      ...ofLevels.notes,
      ...leftOutNotes(found, options),
      ...constantNotes(found, options),
      ...alikeNotes(found, options),
      ...rareNotes(found, options),
      ...fewNotes(found, options),
      ...ofNoise(lostNotes(found, options)),
      ...ofNoise(lostFarNotes(found, options)),
      ...ofNoise(farNotes(found, options)),
      ...ofNoise(meanNotes(found, options)),
      ...ofNoise(farOutNotes(found, options)),
      ...codeNotes(found, options),
      ...concentrationNotes(found),
      ...toldByFarNotes(found, options),
      ...heaviestNotes(found),
      ...copyNotes(found),
      ...aggregateNotes(found),
      ...ridgeNotes(found),
      ...startNotes(found),
      ...(found.astray === null ? exactNotes(found) : []),
      ...ofNoise(neighbourNotes(found, options)),
      ...sortedNotes(found, options),
    ],
  };
}
