import type { Iterate } from '../../../flow/iterate.ts';
import { dot, type Vector } from '../../../math/vector.ts';
import type { PrivatePlan } from '../../../plan/private/planPrivate.ts';

/** The share of the steps whose gradients are averaged, at least: or those that make the estimate, if they are more. */
const LAST = 1 / 4;

/** -ln of the probability that a descent at rest looks as if it were not. */
const SURENESS = 14;

/**
 * Whether a private descent converged, from what it released: near a minimum gradients average out. The mean g of the
 * last k noised gradients has the variance
 *
 *   v = sigma^2 / k
 *
 * in every coordinate, whatever the sample (which moves the minimum, but gradients vanish there all the same). So
 * ||g||^2 / v is chi-square with one degree of freedom per coordinate, unless the rows still pull.
 *
 * Guarantee. Made of released gradients and declared numbers, it costs nothing. Why. A plan assumes that features fill
 * much of their bounds. Features that do not have less curvature, and steps end before the minimum, which nothing else
 * would show.
 */
export function settling({ plan, predicted, tail }: Pick<PrivatePlan, 'plan' | 'predicted' | 'tail'>) {
  const { steps, mode } = plan;
  const counted = Math.max(1, tail, Math.round(LAST * steps.length));
  const sum = new Float64Array(plan.features + (plan.intercept ? 1 : 0));
  const variance = (): number | null => {
    if (mode !== 'full' || predicted === null) return null;
    const { blocks, release } = steps.at(-1)!;
    return release!.sigma ** 2 / blocks / counted;
  };
  return {
    see({ step, gradient }: Iterate): void {
      if (step <= steps.length - counted) return;
      gradient?.values.forEach((value, j) => {
        sum[j]! += value / counted;
      });
    },
    /** The mean of the last gradients, and the variance of its noise in every coordinate; null where that is unknown. */
    mean: (): Vector => sum,
    variance,
    /**
     * The length of the mean gradient over what noise would make it; 1 or less where it may be all noise. Null where that
     * is unknown.
     */
    pull(): number | null {
      const usual = variance();
      return usual === null ? null : Math.sqrt(dot(sum, sum) / usual / quantile(sum.length));
    },
  };
}

/** A chi-square variable is above it with probability e^-SURENESS at most (Laurent and Massart, 2000). */
const quantile = (degrees: number): number => degrees + 2 * Math.sqrt(degrees * SURENESS) + 2 * SURENESS;
