/** Whether -2^53 <= high 2^32 + low <= 2^53. The sum itself would be rounded, so it cannot be compared. */
export const isExact = (low: number, high: number): boolean =>
  high >= -(2 ** 21) && (high < 2 ** 21 || (high === 2 ** 21 && low === 0));
