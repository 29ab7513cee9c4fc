import { maxNorm } from '../../../math/vector.ts';
import type { FittedStudy } from '../../pilot/fittedStudy.ts';
import { digits, percent, quotedCoefficient, severe, type Tell } from '../notes.ts';

/** The shuffle of a run keeps neighbours out of the same step, but their errors are correlated all the same. */
export const neighbourNotes: Tell = ({ neighbours, uncertainty, plan }, { names, inFiles = true }) => {
  if (neighbours === null) return null;
  const { correlation, isLong, variances, independent } = neighbours;
  const growth = variances.map((variance, j) => (independent[j]! > 0 ? Math.sqrt(variance / independent[j]!) : 1));
  const most = growth.indexOf(Math.max(...growth));
  const effect =
    uncertainty === null
      ? 'so the estimate is less precise than the number of rows suggests'
      : `so intervals were widened, most for ${quotedCoefficient(most, names, plan)} (${digits(growth[most]!)} times)${isLong ? ', and may still be too narrow' : ''}`;
  // Blocks of many rows may vary much more although adjacent rows are hardly correlated.
  const close = correlation >= CLOSE ? ` (correlation ${digits(correlation)})` : '';
  return `rows near each other${inFiles ? ' in the file' : ''} have similar errors${close}, ${effect}; if the order means nothing, shuffle the ${inFiles ? 'file' : 'rows'} and refit`;
};

const CLOSE = 0.1;

/**
 * Blocks of randomly ordered rows differ as the variance of single rows predicts. Where every step uses all rows and
 * intervals do not come from blocks, a shuffle would change nothing.
 */
export const sortedNotes: Tell = ({ pilot, blockVariances, layout, uncertainty }, { order }) => {
  if (order === 'shuffle' || blockVariances === null) return null;
  if (layout.sharesPilot && uncertainty?.from !== 'blocks') return null;
  if (!(blockVariances.noise > SORTED * pilot.estimate.noise)) return null;
  const invalid =
    layout.mode === 'full' ? 'the intervals are not valid' : 'neither the estimate nor its intervals are valid';
  return severe(
    `the rows look sorted: blocks of neighbouring rows differ ${digits(Math.sqrt(blockVariances.noise / pilot.estimate.noise))} times as much as in random order, so ${invalid}; use \`order: 'shuffle'\``,
  );
};

const SORTED = 4;

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
