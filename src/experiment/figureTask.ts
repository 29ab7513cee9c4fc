import type { Point } from './point.ts';

/** One seed of one figure: what a thread is asked for. */
export interface FigureTask {
  readonly figure: string;
  readonly seed: number;
}

export interface FigureAnswer {
  /** Done since the answer before. */
  readonly work: number;
  /** All of the task's, in its last answer. */
  readonly points?: readonly Point[];
  /** Why there will be none. */
  readonly failure?: string;
}
