/** For every unit, the number of its rows used so far. */
export interface UnitCounts {
  /**
   * Counts a row of a unit, an integer below 2^53 in absolute value, unless `most` are counted; returns whether it did.
   */
  take(unit: number, most: number): boolean;
}

/** A Map has at most 2^24 keys, so there are several: enough for 2^30 units, more than fit in memory. */
const SHARES = 64;

export function unitCounts(): UnitCounts {
  const shares = Array.from({ length: SHARES }, () => new Map<number, number>());
  return {
    take(unit, most) {
      const seen = shares[shareOf(unit)]!;
      const count = seen.get(unit) ?? 0;
      if (count >= most) return false;
      seen.set(unit, count + 1);
      return true;
    },
  };
}

/**
 * The Map that has the unit. Both halves are mixed as in MurmurHash3 (Appleby 2011), because unit numbers are rarely
 * random, and often multiples of something.
 */
export function shareOf(unit: number): number {
  let hash = unit ^ Math.imul(Math.floor(unit / 2 ** 32), 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) & (SHARES - 1);
}
