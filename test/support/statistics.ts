/**
 * Statistics for tests of random draws. Each threshold bounds the chance that a right sampler fails,
 * by default at 1e-9, so that a thousand such checks stay below one false alarm in a million runs.
 */
const FALSE_ALARM = 1e-9;

export function draws(count: number, draw: () => number): Float64Array {
  const sample = new Float64Array(count);
  for (let i = 0; i < count; i++) sample[i] = draw();
  return sample;
}

/** The Kolmogorov-Smirnov distance between the sample and a continuous law. */
export function ksDistance(sample: Float64Array, cdf: (x: number) => number): number {
  const n = sample.length;
  return sample.toSorted().reduce((distance, x, i) => {
    const share = cdf(x);
    return Math.max(distance, share - i / n, (i + 1) / n - share);
  }, 0);
}

/** Massart's bound: P(distance > threshold) <= 2 exp(-2 n threshold^2), for every n. */
export const ksThreshold = (n: number, falseAlarm = FALSE_ALARM): number =>
  Math.sqrt(-Math.log(falseAlarm / 2) / (2 * n));

/** Hoeffding's bound on |mean - expectation| for values that span at most `range`. */
export const meanThreshold = (n: number, range: number, falseAlarm = FALSE_ALARM): number =>
  range * ksThreshold(n, falseAlarm);

/** Pearson's statistic of observed counts against the cells' probabilities. */
export function chiSquare(counts: ArrayLike<number>, probabilities: ArrayLike<number>): number {
  const total = Array.from(counts).reduce((sum, count) => sum + count, 0);
  return Array.from(counts).reduce((sum, count, cell) => {
    const expected = total * probabilities[cell]!;
    return sum + (count - expected) ** 2 / expected;
  }, 0);
}

/** Laurent and Massart's bound: P(chi^2_d > d + 2 sqrt(d x) + 2 x) <= exp(-x). */
export function chiSquareThreshold(degrees: number, falseAlarm = FALSE_ALARM): number {
  const x = -Math.log(falseAlarm);
  return degrees + 2 * Math.sqrt(degrees * x) + 2 * x;
}

export const mean = (sample: ArrayLike<number>): number =>
  Array.from(sample).reduce((sum, x) => sum + x, 0) / sample.length;

/**
 * sqrt(sum a/sum b) of squared errors in pairs, and its standard error by how pairs differ:
 * ratio/2 times that of mean(a/mean a - b/mean b).
 */
export function rootOf(a: readonly number[], b: readonly number[] = a.map(() => 1)) {
  const [ofA, ofB] = [mean(a), mean(b)];
  const ratio = Math.sqrt(ofA / ofB);
  const squares = a.reduce((sum, value, k) => sum + (value / ofA - b[k]! / ofB) ** 2, 0);
  return {
    ratio,
    ratioError: a.length < 2 ? Infinity : (ratio / 2) * Math.sqrt(squares / (a.length * (a.length - 1))),
  };
}

/** The law on [from, to] with this density, up to a factor: trapezoid sums, and straight lines between them. */
export function tabulatedCdf(density: (x: number) => number, from: number, to: number): (x: number) => number {
  const panels = 50_000;
  const step = (to - from) / panels;
  const sums = new Float64Array(panels + 1);
  for (let i = 1; i <= panels; i++) {
    sums[i] = sums[i - 1]! + density(from + (i - 1) * step) + density(from + i * step);
  }
  return x => {
    const position = Math.max(0, Math.min(panels, (x - from) / step));
    const left = Math.min(panels - 1, Math.floor(position));
    return (sums[left]! + (position - left) * (sums[left + 1]! - sums[left]!)) / sums[panels]!;
  };
}

/** Phi(x) = 1/2 + phi(x) (x + x^3/3 + x^5/(3*5) + ...), to 1e-15 where |x| < 8. */
export function normalCdf(x: number): number {
  let term = x;
  let sum = x;
  for (let odd = 3; Math.abs(term) > 1e-17; odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  return 0.5 + (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
}

/** Student's t: with t = sqrt(nu) sinh(s) its density is proportional to cosh(s)^-nu. */
export function studentCdf(degrees: number): (t: number) => number {
  const end = Math.acosh(Math.exp(40 / degrees));
  const cdf = tabulatedCdf(s => Math.cosh(s) ** -degrees, -end, end);
  return t => cdf(Math.asinh(t / Math.sqrt(degrees)));
}

/** The standard normal law on [low, high], 0 <= low: its density is proportional to exp((low^2 - x^2)/2). */
export function truncatedNormalCdf(low: number, high: number): (x: number) => number {
  const span = Math.min(high - low, 40 / (low + 4));
  const cdf = tabulatedCdf(excess => Math.exp(-excess * (low + excess / 2)), 0, span);
  return x => cdf(x - low);
}
