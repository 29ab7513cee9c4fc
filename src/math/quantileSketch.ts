import { refuse } from './check.ts';

/**
 * Quantiles of a stream of finite numbers in a few kilobytes: weights counted in bins that cut each octave of the
 * distance from an origin into 128 equal parts, which are the leading bits of a double.
 *
 * Accuracy: a quantile and the exact one lie in the same bin, so they differ by less than 1/128 of the exact one's
 * distance from the origin (or by 2^-1029 where that is subnormal). A bin answers with the mean of its values:
 * quantiles are exact where equal values have a bin to themselves, as whole numbers do up to 256 from a whole origin.
 *
 * Memory: 2 KB for each octave and side of the origin where there are values; at most 8 MB.
 */
export interface QuantileSketch {
  add(value: number, weight?: number): void;
  /** The least value with at least this share of the weight at or below it. */
  quantile(share: number): Quantile;
  /** From the least values to the largest. */
  bins(): Iterable<Bin>;
}

export interface Quantile {
  readonly value: number;
  /** How far the exact quantile may be away. */
  readonly within: number;
}

export interface Bin {
  /** The mean of the values. */
  readonly value: number;
  readonly weight: number;
  readonly width: number;
}

export function quantileSketch({ origin = 0 }: { origin?: number } = {}): QuantileSketch {
  /** Per sign and exponent: the weights of its bins, then their means. */
  const octaves: (Float64Array | undefined)[] = new Array(2 * EXPONENTS);
  // One number seen as its two words, the sign and exponent in the high one, as little-endian machines store it.
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

/** Of an octave: 2^7, by the first seven bits of the fraction. */
const BINS = 128;
const EXPONENTS = 2048;
const BIAS = 1023;
