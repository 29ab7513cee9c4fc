/**
 * The skewness of residuals by quantiles (Kelley's coefficient),
 *
 *   (q90 + q10 - 2 q50) / (q90 - q10)
 *
 * from -1 to 1: 0 for symmetric noise, 0.3 for log-normal noise of sigma 0.5, 0.46 for exponential noise. Outliers are
 * beyond reach and do not count, or are too few to move these quantiles much: one row in twenty, a few scales off and
 * all on one side, makes 0.1.
 *
 * Between two modes there is hardly a row, and the median goes to either by chance. So the midpoint of q10 and q90 must
 * also lie outside the interval for the median,
 *
 *   [q(1/2 - 2c), q(1/2 + 2c)],   c = 1/sqrt n, twice the standard error of a share of one half
 *
 * four standard errors to either side.
 *
 * Among n rows the standard error is 1.4/sqrt n or less for uniform, normal, Laplace and Student noise, down to 2.1
 * degrees of freedom, so that fewer than one sample in ten thousand goes beyond 6/sqrt n; for Cauchy noise, or noise
 * that grows exponentially with a feature, it is up to 2/sqrt n, and at most one sample in five hundred does.
 *
 * 0 where it is slight, or within chance of symmetric noise. `scale` is that of the residuals; those beyond `reach` of
 * them do not count.
 */
export function skewOf(
  residuals: Float64Array,
  {
    weights,
    scale,
    reach,
  }: { readonly weights?: Float64Array | undefined; readonly scale: number; readonly reach: number },
): number {
  const seen = residuals.subarray(0, ENOUGH_ROWS);
  const isNear = (residual: number): boolean => Math.abs(residual) <= reach * scale;
  const { quantile, chance } =
    weights === undefined ? equallyWeighted(seen.filter(isNear)) : weighted(seen, weights, isNear);
  if (!(BY_CHANCE * chance < 1)) return 0;
  const [low, middle, high] = [quantile(0.1), quantile(0.5), quantile(0.9)];
  const centre = (low + high) / 2;
  const isMiddle = quantile(0.5 - OF_MEDIAN * chance) <= centre && centre <= quantile(0.5 + OF_MEDIAN * chance);
  if (isMiddle) return 0;
  // Where a line fits all rows but for rounding, residuals are far smaller than their nominal scale, and have no shape.
  const skew = (high + low - 2 * middle) / Math.max(high - low, scale);
  return Math.abs(skew) > Math.max(SLIGHT, BY_CHANCE * chance) ? skew : 0;
}

interface Distribution {
  readonly quantile: (level: number) => number;
  /** c */
  readonly chance: number;
}

/** Typed arrays are sorted without a call for every comparison. */
function equallyWeighted(values: Float64Array): Distribution {
  const { length } = values.sort();
  return { quantile: level => values[Math.ceil(level * length) - 1]!, chance: Math.sqrt(length) / length };
}

function weighted(values: Float64Array, weights: Float64Array, counts: (value: number) => boolean): Distribution {
  const order = Uint32Array.from(values, (_, i) => i)
    .filter(i => weights[i] !== 0 && counts(values[i]!))
    .sort((i, j) => values[i]! - values[j]!);
  const upTo = new Float64Array(order.length);
  let [total, squares] = [0, 0];
  order.forEach((i, k) => {
    total += weights[i]!;
    squares += weights[i]! ** 2;
    upTo[k] = total;
  });
  return {
    quantile: level => values[order[upTo.findIndex(sum => sum >= level * total)]!]!,
    chance: Math.sqrt(squares) / total,
  };
}

/** Enough to see a skew that matters. */
const ENOUGH_ROWS = 20_000;

/** Log-normal noise with this skew has its mean a tenth of its standard deviation from its median. */
const SLIGHT = 0.15;
const BY_CHANCE = 6;
const OF_MEDIAN = 2;
