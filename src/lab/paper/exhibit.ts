import type { Figure, Point, Reading } from './figure.ts';
import { figureWork, type RunOptions, runFigure } from './runFigure.ts';
import type { Claim } from './verdict.ts';

/** What `sluice reproduce` shows: a figure of the paper, or another experiment. */
export interface Exhibit extends Pick<Figure, 'name' | 'title' | 'x' | 'y'> {
  /** The scale of x: linear unless given. */
  readonly xScale?: 'log';
  /** The primary one first. */
  readonly readings: readonly Pick<Reading, 'name' | 'about' | 'range'>[];
  readonly claim: Claim;
  /** What else the caption claims, of the primary reading. */
  readonly also?: readonly Claim[];
  /** What a reader needs to know besides the picture. */
  readonly remark?: string;
  /** The work for one seed, in the units of `figureWork`. */
  readonly work: number;
  run(seed: number, options?: Pick<RunOptions, 'onWork' | 'reading'>): Promise<Point[]>;
}

/** All studies of a figure have the same readings. */
export const exhibitOf = (figure: Figure): Exhibit => {
  const { name, title, x, y, claim, also, studies } = figure;
  return {
    ...{ name, title, x, y, claim, readings: studies[0]!.readings },
    ...(also && { also }),
    get work() {
      return figureWork(figure);
    },
    run: (seed, options) => runFigure(figure, seed, options),
  };
};
