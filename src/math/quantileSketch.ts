import { refuse } from '../errors.ts';

/**
 * Quantiles of a stream of finite numbers in a few kilobytes: weights are counted in bins that divide each octave of
 * the distance from an origin into 128 equal parts, given by the leading bits of the double.
 *
 * Accuracy: a quantile and the exact one lie in the same bin, so they differ by less than 1/128 of the exact one's
 * distance from the origin (or by 2^-1029 if that is subnormal). The value reported for a bin is the mean of its
 * values, so quantiles are exact if every bin holds only equal values, as with whole numbers up to 256 away from a
 * whole origin.
 *
 * Memory: 2 KB for each octave and side of the origin that has values; at most 8 MB.
 */
export interface QuantileSketch {
  add(value: number, weight?: number): void;
  /** The smallest value with at least this share of the weight at or below it. */
  quantile(share: number): Quantile;
  /** In increasing order of value. */
  bins(): Iterable<Bin>;
}

export interface Quantile {
  readonly value: number;
  /** A bound on the distance to the exact quantile. */
  readonly within: number;
}

export interface Bin {
  /** The mean of the values. */
  readonly value: number;
  readonly weight: number;
  readonly width: number;
}

export function quantileSketch({ origin = 0 }: { origin?: number } = {}): QuantileSketch {
  /** For each sign and exponent: the weights of its bins, then their means. */
  const octaves: (Float64Array | undefined)[] = new Array(2 * EXPONENTS);
  // One double viewed as two little-endian words, with the sign and exponent in the high one.
  const number = new Float64Array(1);
  const words = new Uint32Array(number.buffer);

  function* bins(): Generator<Bin> {
    for (let k = 0; k < 2 * EXPONENTS; k++) {
      const negative = k < EXPONENTS;
      const exponent = negative ? EXPONENTS - 1 - k : k - EXPONENTS;
      const octave = octaves[negative ? EXPONENTS + exponent : exponent];
      if (octave === undefined) continue;
      const width = 2 ** (Math.max(exponent, 1) - BIAS) / BINS;
      for (let j = 0; j < BINS; j++) {
        const bin = negative ? BINS - 1 - j : j;
        const weight = octave[bin]!;
        if (weight > 0) yield { value: origin + octave[BINS + bin]!, weight, width };
      }
    }
  }

  return Object.freeze({
    add(value: number, weight = 1) {
      if (weight === 0) return;
      const away = Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value - origin));
      number[0] = away;
      const high = words[1]!;
      octaves[high >>> 20] ??= new Float64Array(2 * BINS);
      const octave = octaves[high >>> 20]!;
      const bin = (high >>> 13) % BINS;
      octave[bin]! += weight;
      octave[BINS + bin]! += (away - octave[BINS + bin]!) * (weight / octave[bin]!);
    },
    quantile(share: number) {
      if (!(share >= 0 && share <= 1)) refuse('share', 'be from 0 to 1', share);
      const all = [...bins()];
      const total = all.reduce((sum, { weight }) => sum + weight, 0);
      if (total === 0) refuse('the weight of a sketch', 'be above 0 for quantiles', 0);
      let below = 0;
      const { value, width } = all.find(({ weight }) => {
        below += weight;
        return below >= share * total;
      })!;
      return { value, within: width };
    },
    bins,
  });
}

/** Bins per octave: 2^7, from the first seven bits of the fraction. */
const BINS = 128;
const EXPONENTS = 2048;
const BIAS = 1023;
