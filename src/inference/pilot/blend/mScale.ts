/**
 * The scale of an S-estimate: the s at which bounded squares of the residuals have half of their largest mean,
 *
 *   sum of c_i rho(r_i/(1.548 s)) = half (1 - p/n) sum of c_i,   rho(u) = 1 - (1 - min(1, u^2))^3
 *
 *   c -> counts (tieWeights.ts), p/n -> coefficients per row: residuals of a fit are smaller than the errors
 */
export const S_TUNING = 1.548;

/** With that tuning half of the largest mean is the standard deviation of normal errors: no other half can hide it. */
export const HALF = 1 / 2;

/**
 * What starts are compared by instead: of two fits of which each has some rows near it, the larger part decides sooner, and
 * how far away the others are hardly counts. With 40 % of the rows on another line, ten times as far out, the scale of a
 * half is less around those (2.4 and 2.5 standard deviations of the noise), with 0.6 around the others. With 0.6 a cluster of
 * 30 % wins that has a third of the noise, with 0.55 not.
 */
export const MOST = 0.55;

/** Whether the sum of rho with weights is above a limit at a scale, as that of most starts is long before the last row. */
export function exceeds(
  residuals: Float64Array,
  counts: Float64Array,
  { scale, limit }: { readonly scale: number; readonly limit: number },
): boolean {
  const least = 1 / (S_TUNING * scale) ** 2;
  let sum = 0;
  for (let i = 0; i < residuals.length && sum <= limit; i++) {
    const r = residuals[i]!;
    const u = r * r * least;
    sum += counts[i]! * (u >= 1 ? 1 : u * (3 - u * (3 - u)));
  }
  return sum > limit;
}

/**
 * The scale, from a guess; nearly 0 where more rows than that are fitted exactly. Newton's method for the logarithm of
 * the scale, between the largest scale that is known to be too small and the smallest that is too large.
 */
export function mScale(
  residuals: Float64Array,
  counts: Float64Array,
  { rows, wanted, guess }: { readonly rows: number; readonly wanted: number; readonly guess: number },
): number {
  let scale = guess;
  let [low, high] = [0, Infinity];
  for (let round = 0; round < ROUNDS; round++) {
    const least = 1 / (S_TUNING * scale) ** 2;
    let [sum, slope, total] = [0, 0, 0];
    for (let i = 0; i < rows; i++) {
      const r = residuals[i]!;
      const u = r * r * least;
      const count = counts[i]!;
      total += count;
      if (u >= 1) {
        sum += count;
        continue;
      }
      const rest = 1 - u;
      sum += count * u * (3 - u * (3 - u));
      slope += count * 6 * u * rest * rest;
    }
    const excess = sum - wanted * total;
    if (excess > 0) low = scale;
    else high = scale;
    const step = Math.min(
      LONGEST,
      Math.max(1 / LONGEST, slope > 0 ? Math.exp(excess / slope) : excess > 0 ? LONGEST : 1 / LONGEST),
    );
    let next = scale * step;
    // Where one of them is not known yet, a step that rounding makes none has arrived.
    if (!(next > low && next < high)) next = low > 0 && high < Infinity ? Math.sqrt(low * high) : scale;
    const isSettled = Math.abs(next - scale) <= SETTLED * scale;
    scale = next;
    if (isSettled) break;
  }
  return scale;
}

/** Some five are enough, but where residuals are 0. */
const ROUNDS = 50;

/** Far from the scale its slope says little. */
const LONGEST = 8;

/** Far below the error of a scale from a million rows. */
const SETTLED = 1e-6;
