/**
 * Empirical rates: the slope of log error against log n over the larger n, beside the exponent that the theorem claims.
 *
 * Every seed has a slope of its own, by least squares; the estimate is their median, and its interval is between two of them, which cover the true
 * median with a probability of at least 95 % whatever the law of the slopes is (from 6 seeds on; fewer bound nothing).
 */
import { quantile } from './figureCells.ts';
import type { Point } from './point.ts';

export interface ClaimedRate {
  readonly series: string;
  readonly theorem: string;
  readonly exponent: number;
}

export interface Rate extends ClaimedRate {
  readonly slope: number;
  readonly low: number;
  readonly high: number;
  /** The n from which on the slope is taken. */
  readonly from: number;
}

/** Of the figures whose error is claimed to follow a power of n alone. The risk of plot3 is a squared distance, so distances have half its exponent. */
const CLAIMED: Readonly<Record<string, readonly ClaimedRate[]>> = {
  plot1: [0.5, 0.9].flatMap(epsilon => [
    { series: `ACCFW eps=${epsilon}`, theorem: 'UPRidge', exponent: -1 },
    { series: `FW eps=${epsilon}`, theorem: 'NOPLconvDPFW', exponent: -2 / 3 },
  ]),
  plot2: [0.5, 0.9].flatMap(epsilon => [
    { series: `ACCFW eps=${epsilon}`, theorem: 'ERM_UP_C_Inc', exponent: -4 / 5 },
    { series: `FW eps=${epsilon}`, theorem: 'NOPLconvDPFW', exponent: -2 / 3 },
  ]),
  plot3: [0.1, 0.9].flatMap(epsilon => [
    { series: `AGD eps=${epsilon}`, theorem: 'Priv_HT_AGD_Smooth', exponent: -1 / 5 },
    { series: `GD eps=${epsilon}`, theorem: 'Priv_HT_GD_Smooth', exponent: -1 / 10 },
  ]),
  plot5: [
    { series: 'AGD', theorem: 'htAGD', exponent: -1 / 2 },
    { series: 'GD', theorem: 'GLMhtGD', exponent: -1 / 2 },
  ],
  plot7: [
    { series: 'ACCFW', theorem: 'ACCFWROB', exponent: -1 / 5 },
    { series: 'FW', theorem: 'HT_NonAccFW', exponent: -1 / 6 },
  ],
};

/** The rates of a figure's primary reading, whose y is the logarithm of an error. */
export function ratesOf(figure: string, seeds: readonly (readonly Point[])[]): Rate[] {
  return (CLAIMED[figure] ?? []).map(claimed => {
    const curves = seeds.map(points =>
      points.filter(({ reading, series }) => reading === 'primary' && series === claimed.series),
    );
    const from = Math.max(...curves.flat().map(({ x }) => x)) / 4;
    const slopes = curves.map(curve => slopeOf(curve.filter(({ x }) => x >= from))).sort((a, b) => a - b);
    const rank = coveringRank(slopes.length);
    return {
      ...claimed,
      slope: quantile(slopes, 1 / 2),
      low: slopes[rank - 1] ?? -Infinity,
      high: slopes[slopes.length - rank] ?? Infinity,
      from,
    };
  });
}

function slopeOf(curve: readonly Point[]): number {
  const logs = curve.map(({ x }) => Math.log(x));
  const middle = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const spread = logs.reduce((sum, log) => sum + (log - middle) ** 2, 0);
  return curve.reduce((sum, { value }, k) => sum + (logs[k]! - middle) * value, 0) / spread;
}

/** The largest r such that the r-th smallest and largest of so many values enclose their median with probability 95 % or more; 0 where none does. */
export function coveringRank(count: number): number {
  let below = 0;
  let term = 2 ** -count;
  for (let rank = 0; rank < count; rank++) {
    below += term;
    if (below > 0.025) return rank;
    term *= (count - rank) / (rank + 1);
  }
  return 0;
}
