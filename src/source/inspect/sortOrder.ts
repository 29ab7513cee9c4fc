import { moments } from '../../math/moments.ts';
import type { Bin } from '../../math/quantileSketch.ts';

/** Whether neighbouring rows are similar, as in a sorted file. */
export interface SortOrder {
  /** The shares of neighbouring rows between which the value increases, and decreases. */
  readonly ascents: number;
  readonly descents: number;
  /**
   * 1 - (a/b)^2 with a the mean absolute difference of neighbours and b that of any two rows: about 0 for rows in
   * random order, 1 for sorted rows, and the correlation of neighbours for normal values. Absolute differences are not
   * dominated by extremes. Null for a constant.
   */
  readonly likeness: number | null;
  /** Null for rows that may be in random order, or are too few to tell. */
  readonly sorted: 'ascending' | 'descending' | 'in runs' | null;
}

export function orderWatch() {
  const steps = moments();
  let [ascents, descents] = [0, 0];
  const last = { value: Number.NaN };
  return Object.freeze({
    add(value: number): void {
      const step = value - last.value;
      last.value = value;
      if (Number.isNaN(step)) return;
      steps.add(Math.abs(step));
      if (step > 0) ascents++;
      else if (step < 0) descents++;
    },
    /**
     * Each binning contains all the values added. Bins hide differences within them, so the binning with the larger
     * differences is used.
     */
    order(binnings: readonly Iterable<Bin>[]): SortOrder {
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
/**
 * For rows in random order with this many expected changes, fewer than a third of them occur with probability 0.001.
 */
const LEAST_CHANGES = 20;

function direction(ascents: number, descents: number): 'ascending' | 'descending' | 'in runs' {
  const strays = 0.01 * (ascents + descents);
  if (descents <= strays) return 'ascending';
  return ascents <= strays ? 'descending' : 'in runs';
}

/**
 * For two different rows at random: the mean of |x - x'| (Gini's mean difference), and the probability that they are in
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
    // Relative to the lowest bin, so that a large offset does not cause cancellation.
    const x = value - origin;
    differences += weight * (count * x - sum);
    unequal += weight * count;
    count += weight;
    sum += weight * x;
  }
  const pairs = (count * (count - 1)) / 2;
  return pairs === 0 ? { difference: 0, unequal: 0 } : { difference: differences / pairs, unequal: unequal / pairs };
}
