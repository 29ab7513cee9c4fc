import type { Point } from './figure.ts';

/** One seed of one exhibit: the request to a process. */
export interface FigureTask {
  readonly figure: string;
  readonly seed: number;
  /** Only this reading; all of them unless given. */
  readonly reading?: string;
}

export interface FigureAnswer {
  /** Work done since the previous answer. */
  readonly work: number;
  /** All points of the task, in its last answer. */
  readonly points?: readonly Point[];
  /** Why there are no points. */
  readonly failure?: string;
}
