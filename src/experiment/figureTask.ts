import type { Point } from './point.ts';

/** One seed of one exhibit: what a process is asked for. */
export interface FigureTask {
  readonly figure: string;
  readonly seed: number;
  /** Only this reading; all of them unless given. */
  readonly reading?: string;
}

export interface FigureAnswer {
  /** Done since the answer before. */
  readonly work: number;
  /** All of the task's, in its last answer. */
  readonly points?: readonly Point[];
  /** Why there will be none. */
  readonly failure?: string;
}
