/**
 * Empirical rates: the slope of log error against log n (or log eps), compared with the exponent that the theorem
 * claims.
 *
 * Every seed has its own slope, by least squares. The estimate is their median, and its interval is between two of
 * them, which cover the true median with a probability of at least 95 % whatever the distribution of the slopes (from 6
 * seeds on; fewer give no bound).
 */

import type { Point } from './figure.ts';
import { quantile } from './figureCells.ts';

/** A theorem's claim about one curve. */
interface ClaimedRate {
  readonly theorem: string;
  readonly series: string;
  readonly exponent: number;
  /** A term that the claim adds to the power, which may then be invisible. */
  readonly plus?: string;
  /** The base of the power: n unless given. */
  readonly of?: string;
  /** The curve of one seed, as (x, log error); unless given, the larger n of the primary reading's series. */
  readonly curve?: (points: readonly Point[]) => readonly CurvePoint[];
}

interface CurvePoint {
  readonly x: number;
  readonly value: number;
}

export interface Rate extends Pick<ClaimedRate, 'theorem' | 'series' | 'exponent' | 'plus' | 'of'> {
  readonly slope: number;
  readonly low: number;
  readonly high: number;
  /** The least and the largest x of the curve. */
  readonly from: number;
  readonly to: number;
}

const primary = (points: readonly Point[], series: string): readonly Point[] =>
  points.filter(point => point.reading === 'primary' && point.series === series);

/** From a quarter of the largest n on; below that, terms other than the slowest may matter. */
const larger = (curve: readonly Point[]): readonly Point[] => {
  const least = Math.max(...curve.map(({ x }) => x)) / 4;
  return curve.filter(({ x }) => x >= least);
};

const logs = (curve: readonly Point[]): readonly CurvePoint[] =>
  curve.map(({ x, value }) => ({ x, value: Math.log(value) }));

/** The last iterate of a method, by n: the last point of series such as 'SGD n=500'. */
const ends =
  (method: string) =>
  (points: readonly Point[]): readonly CurvePoint[] =>
    [...new Set(points.map(({ series }) => series))]
      .filter(series => series.startsWith(`${method} n=`))
      .map(series => ({ x: Number(series.split('=')[1]), value: primary(points, series).at(-1)!.value }));

const bothFrankWolfes = (fast: string, exponent: number): readonly ClaimedRate[] =>
  [0.5, 0.9].flatMap(epsilon => [
    { series: `ACCFW eps=${epsilon}`, theorem: fast, exponent },
    { series: `FW eps=${epsilon}`, theorem: 'NOPLconvDPFW', exponent: -2 / 3 },
  ]);

/** By figure. The risk of plot3 is a squared distance, so distances have half its exponent. */
const CLAIMED: Readonly<Record<string, () => readonly ClaimedRate[]>> = {
  plot1: () => bothFrankWolfes('UPRidge', -1),
  plot2: () => bothFrankWolfes('ERM_UP_C_Inc', -4 / 5),
  plot3: () =>
    [0.1, 0.9].flatMap(epsilon => [
      { series: `AGD eps=${epsilon}`, theorem: 'Priv_HT_AGD_Smooth', exponent: -1 / 5 },
      { series: `GD eps=${epsilon}`, theorem: 'Priv_HT_GD_Smooth', exponent: -1 / 10 },
    ]),
  plot5: () => [
    { series: 'AGD', theorem: 'htAGD', exponent: -1 / 2 },
    { series: 'GD', theorem: 'GLMhtGD', exponent: -1 / 2 },
  ],
  plot6: () =>
    [3, 6, 9].flatMap(rank =>
      (
        [
          ['ACCFW', 'ACCFW_lambda=0', -1 / 4, 'c_K + c_K^(1/2)'],
          ['FW', 'NonACC_lambda=0', -1 / 9, 'c_K'],
        ] as const
      ).map(([method, theorem, exponent, plus]) => {
        const series = `${method} m=${rank}`;
        return { series, theorem, exponent, plus, curve: points => logs(larger(primary(points, series))) };
      }),
    ),
  plot7: () => [
    { series: 'ACCFW', theorem: 'ACCFWROB', exponent: -1 / 5 },
    { series: 'FW', theorem: 'HT_NonAccFW', exponent: -1 / 6 },
  ],
  'private-sgd': () => [
    { series: 'ACCFW at its end', theorem: 'UPRidge', exponent: -1, curve: ends('ACCFW') },
    { series: 'SGD at its end', theorem: 'Util_Priv_SGD', exponent: -1, curve: ends('SGD') },
  ],
  contamination: () =>
    (
      [
        ['GD Huber', 'Hu_eps_PGD'],
        ['AGD Huber', 'Hu_eps_Nester'],
      ] as const
    ).map(([series, theorem]) => ({
      series,
      theorem,
      exponent: 1 / 2,
      of: 'eps in %',
      curve: points => logs(primary(points, series).filter(({ x }) => x > 0)),
    })),
  'lower-bound': () => bothFrankWolfes('UPRidge', -1),
  rates: () =>
    Object.entries({
      Iter_Rate_Inc_C: -2 / 5,
      ERM_GLM_UP: -1,
      ERM_GLM_UP_General: -1,
      'HT_Ridge_min>0': -1 / 2,
      'HT_Ridge_min=0': -1 / 5,
    }).map(([theorem, exponent]) => {
      const series = `${theorem} measured`;
      // All n: fewer would span less than a factor of 8.
      return { series, theorem, exponent, curve: points => primary(points, series) };
    }),
};

/** The rates of a figure's curves, with those that theorems claim for them. */
export function ratesOf(figure: string, seeds: readonly (readonly Point[])[]): Rate[] {
  return (CLAIMED[figure]?.() ?? []).map(({ curve, ...claimed }) => {
    const curves = seeds.map(curve ?? (points => larger(primary(points, claimed.series))));
    const slopes = curves.map(slopeOf).sort((a, b) => a - b);
    const rank = coveringRank(slopes.length);
    const xs = curves.flat().map(({ x }) => x);
    return {
      ...claimed,
      slope: quantile(slopes, 1 / 2),
      low: slopes[rank - 1] ?? -Infinity,
      high: slopes[slopes.length - rank] ?? Infinity,
      from: Math.min(...xs),
      to: Math.max(...xs),
    };
  });
}

function slopeOf(curve: readonly CurvePoint[]): number {
  const logs = curve.map(({ x }) => Math.log(x));
  const middle = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const spread = logs.reduce((sum, log) => sum + (log - middle) ** 2, 0);
  return curve.reduce((sum, { value }, k) => sum + (logs[k]! - middle) * value, 0) / spread;
}

/**
 * The largest r such that the r-th smallest and largest of `count` values enclose their median with a probability of at
 * least 95 %; 0 where there is none.
 */
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
