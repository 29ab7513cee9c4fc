import { maxNorm } from '../../../math/vector.ts';
import type { FittedStudy } from '../../pilot/fittedStudy.ts';
import { digits, percent, severe, type Tell } from '../notes.ts';

/** The share of the total weight that the heaviest row has. */
export const largestWeightShare = ({ study: { weights } }: FittedStudy): number =>
  maxNorm(weights) / weights.reduce((sum, weight) => sum + weight, 0);

export const weightNotes: Tell = ({ pilot }) => {
  const { largestWeightShare: share, positiveWeight } = pilot.rows;
  if (share < Math.max(HEAVY, 20 / positiveWeight)) return null;
  const found = `one row has ${percent(share)} of the weight of all ${positiveWeight} pilot rows`;
  const advice = 'check the column of weights';
  return share >= MOST_OF_ALL
    ? severe(`${found}: it determines most of the estimate, and no interval shows its error; ${advice}`)
    : `${found}, as much as ${digits(share * positiveWeight)} average rows: if it is an outlier, no interval shows the error; ${advice}`;
};

const MOST_OF_ALL = 0.5;
const HEAVY = 0.1;
