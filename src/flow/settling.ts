/**
 * Whether a private descent came to rest, from what it released: near a minimum gradients average out. The mean g of
 * the last k noised gradients has the variance
 *
 *   v = sigma^2 / k
 *
 * in every coordinate, whatever the sample (that moves the minimum, and gradients vanish there all the same), so
 * ||g||^2 / v is chi-square with as many degrees as coordinates, unless the rows still pull.
 *
 * Guarantee. Made of released gradients and declared numbers, it costs nothing.
 * Why. A plan assumes that features fill much of their bounds. Those that do not curve less, and steps end before the
 * answer; nothing else would tell.
 */
import { dot, type Vector } from '../math/vector.ts';
import type { PrivatePlan } from '../plan/private/planPrivate.ts';
import type { Iterate } from './iterate.ts';

/** The share of the steps whose gradients are averaged, at least: as many as make the estimate, if those are more. */
const LAST = 1 / 4;
/** -ln of the probability that a descent at rest looks as if it were not. */
const SURENESS = 14;

export interface Settling {
  see(iterate: Iterate): void;
  /**
   * The mean of the last gradients, and the variance of its noise in every coordinate; null where there is nothing to
   * hold it against.
   */
  mean(): Vector;
  variance(): number | null;
  /**
   * How many times as long the mean gradient is as noise would make it; 1 or less where noise may be all of it. Null
   * where there is nothing to hold it against.
   */
  pull(): number | null;
}

export function settling({
  plan,
  predicted,
  tail,
}: Pick<PrivatePlan, 'plan' | 'predicted' | 'tail'>): Settling {
  const { steps, mode } = plan;
  const counted = Math.max(1, tail, Math.round(LAST * steps.length));
  const sum = new Float64Array(plan.features + (plan.intercept ? 1 : 0));
  const variance = (): number | null => {
    if (mode !== 'full' || predicted === null) return null;
    const { blocks, release } = steps.at(-1)!;
    return release!.sigma ** 2 / blocks / counted;
  };
  return {
    see({ step, gradient }) {
      if (step <= steps.length - counted) return;
      gradient?.values.forEach((value, j) => {
        sum[j]! += value / counted;
      });
    },
    mean: () => sum,
    variance,
    pull() {
      const usual = variance();
      return usual === null ? null : Math.sqrt(dot(sum, sum) / usual / quantile(sum.length));
    },
  };
}

/** Above it a chi-square number is with a probability of e^-SURENESS at most (Laurent and Massart, 2000). */
const quantile = (degrees: number): number => degrees + 2 * Math.sqrt(degrees * SURENESS) + 2 * SURENESS;
