import type { Position } from '../../source/live/liveSource.ts';
import type { Coefficient, Estimate } from '../result.ts';

/** A coefficient of a stream, with the interval that holds at all times together beside the one that holds now. */
export interface OnlineCoefficient extends Coefficient {
  /** The ends of an interval that may be watched for ever; null where the run has none. */
  readonly anyTime: readonly [number, number] | null;
}

/** A change that the alarm has found. */
export interface Alarm {
  /** The chunk at which it was raised. */
  readonly chunk: number;
  /** The coefficient that has changed most clearly. */
  readonly coefficient: string;
}

/** The estimate after one chunk of a stream. */
export interface OnlineEstimate extends Pick<Estimate, 'notes' | 'choices' | 'model' | 'ledger'> {
  /** By name; an intercept is called `(intercept)`. */
  readonly coefficients: Readonly<Record<string, OnlineCoefficient>>;
  /** The number of chunks so far, the pilot's rows being chunk 0. */
  readonly chunk: number;
  /** Rows that the estimate rests on, and rows that arrived. */
  readonly rows: { readonly used: number; readonly read: number };
  /** Where the next chunk begins. */
  readonly position: Position;
  /**
   * The mean loss of rows scored before they were learnt from, of this chunk and of all; null in a private run, where
   * it would be shown without noise.
   */
  readonly progressiveError: { readonly chunk: number; readonly all: number } | null;
  /** The latest alarm; null where there was none. */
  readonly alarm: Alarm | null;
  /** Records that could not be used, so far; null in a private run. */
  readonly deadLetters: number | null;
  /** Items that wait in the source, where it knows. */
  readonly lag: number | null;
}

/** Where estimates of a stream go. The run waits for each, so that a slow one holds the stream back. */
export interface Output {
  readonly name: string;
  /** Takes the estimate after a chunk is on disk. The last one is given again after a restart. */
  publish(estimate: OnlineEstimate): Promise<void>;
  close?(): Promise<void>;
}
