import { moments } from '../../math/moments.ts';
import type { Bin } from '../../math/quantileSketch.ts';

/** Whether neighbouring rows are alike, as in a sorted file. */
export interface RowOrder {
  /** Shares of neighbouring rows where the value rises, and where it falls. */
  readonly ascents: number;
  readonly descents: number;
  /**
   * 1 - (a/b)^2 with a the mean difference of neighbours and b that of any two rows: about 0 for rows in random order,
   * 1 for sorted rows, and the correlation of neighbours where it is normal; absolute differences do not let extremes
   * decide. Null for a constant.
   */
  readonly likeness: number | null;
  /** Null for rows that may well be in random order, or are too few to tell. */
  readonly sorted: 'ascending' | 'descending' | 'in runs' | null;
}

export interface OrderWatch {
  add(value: number): void;
  /**
   * Each binning holds all the values added. Bins hide differences within them, so the one that shows the larger is
   * believed.
   */
  order(binnings: readonly Iterable<Bin>[]): RowOrder;
}

export function orderWatch(): OrderWatch {
  const steps = moments();
  let ascents = 0;
  let descents = 0;
  const last = { value: Number.NaN };
  return Object.freeze({
    add(value: number) {
      const step = value - last.value;
      last.value = value;
      if (Number.isNaN(step)) return;
      steps.add(Math.abs(step));
      if (step > 0) ascents++;
      else if (step < 0) descents++;
    },
    order(binnings: readonly Iterable<Bin>[]) {
      const pairings = binnings.map(pairsOf);
      const difference = Math.max(0, ...pairings.map(pairing => pairing.difference));
      const unequal = Math.max(0, ...pairings.map(pairing => pairing.unequal));
      const pairs = steps.weight;
      const likeness = difference > 0 ? 1 - (steps.mean / difference) ** 2 : null;
      const telling = likeness !== null && likeness >= ALIKE && pairs * unequal >= LEAST_CHANGES;
      return Object.freeze({
        ascents: pairs === 0 ? 0 : ascents / pairs,
        descents: pairs === 0 ? 0 : descents / pairs,
        likeness,
        sorted: telling ? direction(ascents, descents) : null,
      });
    },
  });
}

const ALIKE = 0.9;
/** Among rows in random order: fewer changes than a third of so many have a chance of one in a thousand. */
const LEAST_CHANGES = 20;

function direction(ascents: number, descents: number): 'ascending' | 'descending' | 'in runs' {
  const strays = 0.01 * (ascents + descents);
  if (descents <= strays) return 'ascending';
  return ascents <= strays ? 'descending' : 'in runs';
}

/**
 * Of two different rows at random: the mean of |x - x'| (Gini's mean difference), and the chance that they lie in
 * different bins.
 */
function pairsOf(bins: Iterable<Bin>): { readonly difference: number; readonly unequal: number } {
  let origin: number | undefined;
  let count = 0;
  let sum = 0;
  let differences = 0;
  let unequal = 0;
  for (const { value, weight } of bins) {
    origin ??= value;
    // From the least bin, so that a large offset does not cancel.
    const x = value - origin;
    differences += weight * (count * x - sum);
    unequal += weight * count;
    count += weight;
    sum += weight * x;
  }
  const pairs = (count * (count - 1)) / 2;
  return pairs === 0
    ? { difference: 0, unequal: 0 }
    : { difference: differences / pairs, unequal: unequal / pairs };
}
