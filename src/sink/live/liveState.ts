import type { Model } from '../../model/model.ts';

/** The ends of an interval. */
export type Ends = readonly [lower: number, upper: number];

/** One coefficient of a stream, in the units of the data. */
export interface LiveCoefficient {
  readonly name: string;
  readonly estimate: number;
  /** The standard error; null where the run has none. */
  readonly error: number | null;
  /** The interval for those who look once. */
  readonly now: Ends | null;
  /** The interval for those who keep watching. */
  readonly anyTime: Ends | null;
}

/** The estimate after one chunk as plain JSON: what the page, the terminal, metrics and lines of JSON show. */
export interface LiveEstimate {
  readonly target: string;
  /** The loss in words. */
  readonly loss: string;
  /** What one more unit of a feature adds, in a sentence. */
  readonly meaning: string;
  /** The level of both intervals: 0.95. */
  readonly level: number;
  /** In the model's order, an intercept last. */
  readonly coefficients: readonly LiveCoefficient[];
  readonly chunk: number;
  /** Positions that were read, and rows that the estimate rests on; the latter null in a private run. */
  readonly rows: { readonly read: number; readonly used: number | null };
  /** Where the next chunk begins, as the source says it. */
  readonly position: unknown;
  /** The mean loss of rows scored before they were learnt from; null in a private run. */
  readonly progressiveError: { readonly chunk: number; readonly all: number } | null;
  /** The latest alarm. */
  readonly alarm: { readonly chunk: number; readonly coefficient: string } | null;
  /** Records that could not be used; null in a private run. */
  readonly deadLetters: number | null;
  /** Items that wait in the source, where it knows. */
  readonly lag: number | null;
  readonly notes: readonly { readonly text: string; readonly isSevere: boolean }[];
  /** What the stream costs, once and for ever; null where it is not private. */
  readonly privacy: Pick<Model['ledger'], 'epsilon' | 'delta' | 'mu' | 'rho' | 'unit' | 'note'> | null;
}

/** What is known of a run before it reads a row. */
export interface LiveFacts {
  /** The name of the source, without credentials. */
  readonly source: string;
  readonly target: string;
  /** Whether nothing may be shown but released values and public facts. */
  readonly isPrivate: boolean;
  /** What the run does after an alarm: counts anew, or goes on with intervals that no longer hold. */
  readonly onAlarm?: 'restart' | 'note';
}

/** How the run is doing between two estimates. */
export interface LiveStatus {
  /** Waiting for the rows of the pilot, estimating, or at the end of a stream that has one. */
  readonly phase: 'waiting' | 'running' | 'ended';
  /** Rows of the open chunk, or of the pilot, and how many it needs; null where that is unknown. */
  readonly progress: { readonly rows: number; readonly of: number } | null;
  /** Rows that have arrived so far. */
  readonly read: number;
  readonly lag: number | null;
  readonly deadLetters: number | null;
  /** What is wrong at present, in plain words, by what it concerns: the source, the model file. */
  readonly problems: Readonly<Record<string, string>>;
}

/** What a run tells of itself; a problem is over when it is null. */
export type LiveNews = Partial<Omit<LiveStatus, 'problems'>> & {
  readonly problems?: Readonly<Record<string, string | null>>;
};

/** Where estimates of a stream go, as plain JSON. */
export interface LiveOutput {
  readonly name: string;
  publish(estimate: LiveEstimate): Promise<void>;
  close(): Promise<void>;
}

/** The status of a run that has not begun. */
export const NOTHING_YET: LiveStatus = {
  phase: 'waiting',
  progress: null,
  read: 0,
  lag: null,
  deadLetters: null,
  problems: {},
};

/** The status after a run has told of itself. */
export function told(status: LiveStatus, { problems = {}, ...news }: LiveNews): LiveStatus {
  const left = Object.entries({ ...status.problems, ...problems }).filter(([, text]) => text !== null);
  return { ...status, ...news, problems: Object.fromEntries(left) as LiveStatus['problems'] };
}

/**
 * What may be shown of an estimate. Of a private run that is what was released and what is public; whoever made the
 * estimate should have left out the rest, and here it is left out whatever they did.
 */
export const shownOf = (estimate: LiveEstimate, { isPrivate }: LiveFacts): LiveEstimate =>
  isPrivate
    ? { ...estimate, rows: { ...estimate.rows, used: null }, progressiveError: null, deadLetters: null }
    : estimate;
