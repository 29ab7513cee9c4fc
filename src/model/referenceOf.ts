import { type LevelTally, rememberedLevels } from '../sample/levelTally.ts';
import type { Model } from './model.ts';

/**
 * What a model file remembers of undeclared levels; nothing where levels were not counted, or there is no text feature.
 */
export const referenceOf = (tallies: readonly LevelTally[]): Pick<Model, 'reference'> =>
  tallies.length === 0
    ? {}
    : { reference: Object.fromEntries(tallies.map(tally => [tally.column, rememberedLevels(tally)])) };
