import { refuse } from '../../errors.ts';
import { contamination } from './contamination.ts';
import { type Exhibit, exhibitOf } from './exhibit.ts';
import { figures } from './figures.ts';
import { lowerBound } from './lowerBound.ts';
import { sgdGradients } from './sgdGradients.ts';
import { theoremRates } from './theoremRates.ts';

/** The seven figures, and what the paper discusses without a picture. */
export const exhibits: readonly Exhibit[] = [
  ...figures.map(exhibitOf),
  sgdGradients,
  contamination,
  lowerBound,
  theoremRates,
];

/** An exhibit of the paper by its name. */
export const exhibitByName = (name: string): Exhibit =>
  exhibits.find(exhibit => exhibit.name === name) ??
  refuse('figure', `be one of ${exhibits.map(({ name }) => name).join(', ')}`, name);
