/** Of every unit, how many of its rows count so far. */
export interface UnitCounts {
  /** Counts a row of a unit, a whole number below 2^53 in size, unless `most` are counted; says whether it did. */
  take(unit: number, most: number): boolean;
}

/** As a Map holds 2^24 keys at most, there are several: 2^30 units, which no memory holds. */
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
 * Which Map has the unit. Both halves are mixed as in MurmurHash3 (Appleby 2011): numbers of units are rarely random,
 * and often multiples of something.
 */
export function shareOf(unit: number): number {
  let hash = unit ^ Math.imul(Math.floor(unit / 2 ** 32), 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) & (SHARES - 1);
}
