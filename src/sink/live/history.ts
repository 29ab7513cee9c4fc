import type { Ends, LiveEstimate } from './liveState.ts';

/** What is kept of an estimate: numbers by the places of coefficients. */
export interface HistoryPoint {
  readonly chunk: number;
  readonly estimates: readonly number[];
  readonly now: readonly (Ends | null)[];
  readonly anyTime: readonly (Ends | null)[];
  readonly progressive: { readonly chunk: number; readonly all: number } | null;
}

/** Estimates so far, thinned so that their number is bounded however long the stream is. */
export interface History {
  /** The names of the coefficients; with other names a history begins anew. */
  readonly names: readonly string[];
  /** Chunks whose number is a multiple of this are kept: a power of two. */
  readonly stride: number;
  /** By chunks; the last is the latest, whatever its number. */
  readonly points: readonly HistoryPoint[];
}

/** More points could not be told apart on a screen. */
const MOST_POINTS = 240;
/** Five for every coefficient of a point: together about a megabyte of JSON, which a newcomer is sent. */
const MOST_NUMBERS = 60_000;

/** A history of nothing. */
export const NO_HISTORY: History = { names: [], stride: 1, points: [] };

/** The history with one more estimate. Whenever there would be too many points, every second one goes. */
export function remembered(history: History, estimate: LiveEstimate): History {
  const names = estimate.coefficients.map(({ name }) => name);
  const goesOn = names.length === history.names.length && names.every((name, k) => name === history.names[k]);
  const { stride, points } = goesOn ? history : NO_HISTORY;
  const most = Math.max(16, Math.min(MOST_POINTS, Math.floor(MOST_NUMBERS / (5 * Math.max(1, names.length)))));
  const kept = (step: number): HistoryPoint[] =>
    points.filter(({ chunk }) => chunk % step === 0 && chunk < estimate.chunk);
  const doubled = kept(stride).length >= most ? 2 * stride : stride;
  return { names: goesOn ? history.names : names, stride: doubled, points: [...kept(doubled), pointOf(estimate)] };
}

const pointOf = ({ chunk, coefficients, progressiveError }: LiveEstimate): HistoryPoint => ({
  chunk,
  estimates: coefficients.map(({ estimate }) => rounded(estimate)),
  now: coefficients.map(({ now }) => roundedEnds(now)),
  anyTime: coefficients.map(({ anyTime }) => roundedEnds(anyTime)),
  progressive: progressiveError,
});

/** To as many digits as a picture can show, where the estimate has grown as sure as eight digits. */
const rounded = (value: number): number => Number(value.toPrecision(9));

const roundedEnds = (ends: Ends | null): Ends | null => ends && [rounded(ends[0]), rounded(ends[1])];
