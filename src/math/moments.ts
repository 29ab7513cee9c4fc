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
 * Welford's updates (1962) with West's weights (1979): deviations are taken from the mean so far, so that nothing
 * cancels where the mean is large beside the spread. Equal numbers have their exact mean and a spread of exactly 0.
 */
export function moments(): Moments {
  // Fields of a record, because numbers that closures share are allocated anew at every change: three times the time.
  const now = { weight: 0, mean: 0, owed: 0, squares: 0 };
  return Object.freeze({
    add(value: number, weight = 1) {
      if (weight === 0) return;
      now.weight += weight;
      const away = value - now.mean;
      // The mean moves by ever smaller steps; what rounding keeps back of one is added to the next (Kahan 1965).
      const step = away * (weight / now.weight) + now.owed;
      const mean = now.mean + step;
      now.owed = step - (mean - now.mean);
      now.mean = mean;
      now.squares += weight * away * (value - mean);
    },
    get weight() {
      return now.weight;
    },
    get mean() {
      return now.mean;
    },
    get squares() {
      return now.squares;
    },
  });
}
