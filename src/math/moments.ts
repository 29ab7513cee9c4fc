/** Weight, mean and spread of numbers seen one at a time. */
export interface Moments {
  add(value: number, weight?: number): void;
  readonly weight: number;
  /** 0 before the first number. */
  readonly mean: number;
  /** The sum of weight * (value - mean)^2: the weight times the variance. */
  readonly squares: number;
}

/**
 * Welford's updates (1962) with West's weights (1979): deviations are taken from the mean so far, so that nothing cancels where the mean is large
 * beside the spread. Equal numbers have their exact mean and a spread of exactly 0.
 */
export function moments(): Moments {
  let weight = 0;
  let mean = 0;
  let squares = 0;
  return Object.freeze({
    add(value: number, share = 1) {
      if (share === 0) return;
      weight += share;
      const away = value - mean;
      mean += away * (share / weight);
      squares += share * away * (value - mean);
    },
    get weight() {
      return weight;
    },
    get mean() {
      return mean;
    },
    get squares() {
      return squares;
    },
  });
}
