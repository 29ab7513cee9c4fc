/** Weight, mean and spread of numbers added one at a time. */
export interface Moments {
  add(value: number, weight?: number): void;
  readonly weight: number;
  /** 0 before the first number. */
  readonly mean: number;
  /** The sum of weight * (value - mean)^2: the weight times the variance. */
  readonly squares: number;
}

/**
 * Welford's updates (1962) with West's weights (1979): deviations are taken from the running mean, so there is no
 * cancellation if the mean is large relative to the spread. Equal numbers give their exact mean and a spread of exactly
 * 0.
 */
export function moments(): Moments {
  // Fields of a record, because V8 allocates a new heap number at every change of a variable that closures share, which
  // takes three times as long.
  const now = { weight: 0, mean: 0, owed: 0, squares: 0 };
  return Object.freeze({
    add(value: number, weight = 1) {
      if (weight === 0) return;
      now.weight += weight;
      const away = value - now.mean;
      // The steps of the mean shrink; the rounding error of each is carried over to the next (Kahan 1965).
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
