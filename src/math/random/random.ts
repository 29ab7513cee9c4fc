/**
 * A source of random 32-bit words. Everything random in Sluice takes one as an argument, so a run is either secure or
 * repeatable as a whole, and reports which.
 */
export interface Random {
  /** True only for unpredictable words; a run on any other source is not private. */
  readonly isSecure: boolean;
  /** The next word: an integer from 0 to 2^32 - 1. */
  word(): number;
}

/** A uniform draw from the open interval (0, 1): an odd multiple of 2^-53, so rounding never reaches an endpoint. */
export function uniform(random: Random): number {
  const high = random.word() >>> 6;
  const low = random.word() >>> 6;
  return (high * 0x4000000 + low + 0.5) / 0x10000000000000;
}

export const uniformBetween = (random: Random, low: number, high: number): number =>
  low + (high - low) * uniform(random);

/** -1 or 1 with equal probability. */
export const rademacher = (random: Random): number => (random.word() & 1 ? 1 : -1);

/**
 * A uniform integer from 0 to bound - 1, for an integer bound from 1 to 2^53. Draws the fewest bits that cover the
 * bound, and redraws until the value is below it.
 */
export function integerBelow(random: Random, bound: number): number {
  if (bound === 1) return 0;
  const highest = bound - 1;
  if (highest < 0x100000000) {
    const spare = Math.clz32(highest);
    for (;;) {
      const drawn = random.word() >>> spare;
      if (drawn <= highest) return drawn;
    }
  }
  const spare = Math.clz32(highest / 0x100000000);
  for (;;) {
    const drawn = (random.word() >>> spare) * 0x100000000 + random.word();
    if (drawn <= highest) return drawn;
  }
}
