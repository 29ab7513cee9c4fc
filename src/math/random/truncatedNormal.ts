import { refuse } from '../../errors.ts';
import { normal } from './normal.ts';
import { type Random, uniform, uniformBetween } from './random.ts';

/**
 * The standard normal distribution truncated to [low, high], either end of which may be infinite. Exact, by one of
 * three rejection samplers (Robert 1995). Each accepts at least a third of its proposals in the cases it is used for,
 * however narrow the interval is or however far out in the tail.
 */
export function truncatedNormal(random: Random, low: number, high: number): number {
  if (typeof low !== 'number' || typeof high !== 'number' || !(low < high)) {
    refuse('low', `be below high = ${high}`, low);
  }
  if (-low > high) return -truncatedNormal(random, -high, -low);
  const width = high - low;
  if (width * Math.max(1, high) < 2.5) return fromUniform(random, low, high);
  return low < 0 ? fromNormal(random, low, high) : fromExponential(random, low, high);
}

function fromUniform(random: Random, low: number, high: number): number {
  const mode = Math.max(0, low);
  for (;;) {
    const x = Math.min(high, uniformBetween(random, low, high));
    if (uniform(random) < Math.exp(((mode - x) * (mode + x)) / 2)) return x;
  }
}

function fromNormal(random: Random, low: number, high: number): number {
  for (;;) {
    const x = normal(random);
    if (x >= low && x <= high) return x;
  }
}

/**
 * Proposes low + e, with e exponential of rate r on [0, high - low], and accepts it with probability exp(-(low + e -
 * r)^2 / 2). Robert's optimal rate is r = (low + sqrt(low^2 + 4)) / 2; `gap` is r - low, in a form without
 * cancellation.
 */
function fromExponential(random: Random, low: number, high: number): number {
  const gap = 2 / (low + Math.sqrt(low * low + 4));
  const rate = low + gap;
  const lost = Math.expm1(-rate * (high - low));
  for (;;) {
    const excess = -Math.log1p(uniform(random) * lost) / rate;
    if (uniform(random) < Math.exp(-((excess - gap) ** 2) / 2)) return Math.min(high, low + excess);
  }
}
