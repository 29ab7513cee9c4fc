/** Whether -2^53 <= high 2^32 + low <= 2^53. The sum itself could not tell: it is rounded when it is taken. */
export const isExact = (low: number, high: number): boolean =>
  high >= -(2 ** 21) && (high < 2 ** 21 || (high === 2 ** 21 && low === 0));
