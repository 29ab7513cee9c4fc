import { zeros } from '../../math/vector.ts';
import type { PooledWatch } from './pooled.ts';

/** What the watch remembers of its series; `fold` and `at` are laid out series by series. Plain data. */
interface WatchState {
  /** Values of each series so far. */
  readonly counts: Float64Array;
  /** o, the mean square, and the mean product of neighbours, both `DELAY` values old. */
  readonly squares: Float64Array;
  readonly products: Float64Array;
  /** The last DELAY + 2 values of each series, the latest last. */
  readonly recent: Float64Array;
  /** R of every sign and lambda, for each series. */
  readonly evidence: Float64Array;
}

/** Chunks after which what a chunk says about spread and correlation is believed: a jump must not hide itself at once. */
const DELAY = 30;
/** Chunks that spread and correlation are remembered for. */
const MEMORY = 200;
/** Squares count as at most so many times the mean square: one wild value must not deafen the watch. */
const MOST_SQUARE = 9;
/** Values before which squares are not capped, because their mean is not known to a factor of two. */
const CAPPED_FROM = 10;
/** A correlation above this would leave nothing of a lasting change. */
const MOST_CORRELATION = 0.9;
/** A value of more spreads counts as this many. */
const MOST = 3;
/** The changes that are waited for, in spreads of one value. */
const CHANGES: readonly number[] = [0.5, 1, 2];
/** Values before which nothing is judged: 70 old enough to be believed give the spread to a tenth. */
const JUDGED_FROM = 100;
const RECENT = DELAY + 2;
const PER_SERIES = 2 * CHANGES.length;

/**
 * The Shiryaev-Roberts e-detector: a watch over series whose values have mean 0 until something changes.
 *
 *   w = (x_t - phi x_{t-1})/sqrt(o (1 - phi^2)), held to +-3
 *   R <- (1 + R) exp(+-lambda w - lambda^2/2)       for each series, sign and lambda in {.5, 1, 2}
 *   alarm when the mean of all R reaches `threshold`
 *
 *   o -> mean of x^2, phi -> correlation of neighbours in [0, .9]; both 30 values old, with a memory of 200
 *
 * R grows by 1 a chunk on average while w is standard normal, so the mean time to a false alarm is at least `threshold`
 * chunks. A value that is not a number says nothing. After an alarm all R begin again at 0.
 */
export function shiryaevRoberts({ threshold = 10_000 }: { readonly threshold?: number } = {}): PooledWatch {
  return Object.freeze({
    begin: (series: number): WatchState => ({
      counts: zeros(series),
      squares: zeros(series),
      products: zeros(series),
      recent: zeros(RECENT * series),
      evidence: zeros(PER_SERIES * series),
    }),
    next(given: unknown, values: Float64Array) {
      const before = given as WatchState;
      const [counts, squares, products] = [before.counts.slice(), before.squares.slice(), before.products.slice()];
      const [recent, evidence] = [before.recent.slice(), before.evidence.slice()];
      for (let series = 0; series < values.length; series++) {
        const value = values[series]!;
        if (!Number.isFinite(value)) continue;
        const from = series * RECENT;
        for (let at = from; at < from + RECENT - 1; at++) recent[at] = recent[at + 1]!;
        recent[from + RECENT - 1] = value;
        const count = ++counts[series]!;
        if (count > DELAY) believe(series, recent[from]!, recent[from + 1]!, count - DELAY, squares, products);
        if (count <= JUDGED_FROM) continue;
        const phi = Math.min(MOST_CORRELATION, Math.max(0, products[series]! / squares[series]!));
        const spread = Math.sqrt(squares[series]! * (1 - phi * phi));
        const w = Math.max(-MOST, Math.min(MOST, (value - phi * recent[from + RECENT - 2]!) / spread || 0));
        let place = series * PER_SERIES;
        for (const lambda of CHANGES)
          for (let side = 1; side >= -1; side -= 2, place++)
            evidence[place] = (1 + evidence[place]!) * Math.exp(side * lambda * w - (lambda * lambda) / 2);
      }
      const watch: WatchState = { counts, squares, products, recent, evidence };
      let total = 0;
      for (let at = 0; at < evidence.length; at++) total += evidence[at]!;
      if (!(total >= threshold * evidence.length) || total === 0) return { watch, alarm: null };
      const most = evidence.reduce((best, value, at) => (value > evidence[best]! ? at : best), 0);
      return { watch: { ...watch, evidence: zeros(evidence.length) }, alarm: Math.floor(most / PER_SERIES) };
    },
  });
}

/** Takes a value that is `DELAY` old, and its product with the one before it, into what is believed of its series. */
function believe(
  series: number,
  earlier: number,
  value: number,
  count: number,
  squares: Float64Array,
  products: Float64Array,
): void {
  const most = count > CAPPED_FROM ? Math.sqrt(MOST_SQUARE * squares[series]!) : Infinity;
  const held = (x: number): number => Math.max(-most, Math.min(most, x));
  const share = 1 / Math.min(count, MEMORY);
  squares[series]! += share * (held(value) ** 2 - squares[series]!);
  // The first value has no neighbour before it.
  products[series]! += share * ((count > 1 ? held(earlier) * held(value) : 0) - products[series]!);
}
