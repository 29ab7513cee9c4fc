/** What an estimate was made by and what its data looked like, in plain words. Of the rows themselves it tells: it is not for private runs. */
import type { Estimate } from '../../flow/estimate.ts';
import { layoutChoices, lossChoice } from './choices.ts';
import {
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
import { concentrationNotes, farNotes, farOutNotes, heaviestNotes } from './farNotes.ts';
import { neighbourNotes, sortedNotes } from './orderNotes.ts';
import { aggregateNotes, ridgeNotes, startNotes } from './settingNotes.ts';
import {
  apartNotes,
  cutOffNotes,
  eventNotes,
  exactNotes,
  manyNotes,
  meanNotes,
  narrowNotes,
  twoNotes,
} from './targetNotes.ts';
import { fewNotes, lostFarNotes, lostNotes, rareNotes } from './tellingNotes.ts';

export function explainEstimate(found: Estimate, options: ExplainOptions): Explanation {
  const ofLevels = explainLevels(options.levels ?? []);
  return {
    choices: [...lossChoice(found), ...layoutChoices(found, options), ...ofLevels.choices],
    notes: [
      ...apartNotes(found),
      ...unboundedNotes(found, options),
      ...narrowNotes(found),
      ...manyNotes(found),
      ...eventNotes(found),
      ...twoNotes(found),
      ...cutOffNotes(found),
      ...passedOverNotes(options),
      ...skippedNotes(options),
      ...timeNotes(options),
      ...ofLevels.notes,
      ...leftOutNotes(found, options),
      ...constantNotes(found, options),
      ...rareNotes(found, options),
      ...fewNotes(found, options),
      ...lostNotes(found, options),
      ...lostFarNotes(found, options),
      ...farNotes(found),
      ...meanNotes(found, options),
      ...farOutNotes(found, options),
      ...codeNotes(found, options),
      ...concentrationNotes(found),
      ...heaviestNotes(found),
      ...aggregateNotes(found),
      ...ridgeNotes(found),
      ...startNotes(found),
      ...exactNotes(found),
      ...neighbourNotes(found, options),
      ...sortedNotes(found, options),
    ],
  };
}
