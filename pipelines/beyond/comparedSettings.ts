/** Where the paper's plans are compared with better ones: some n of every figure, over all of its series. */

import type { SampleBatch } from '../../src/index.ts';
import { type Figure, type FigureStudy, figures } from '../../src/lab/paper/index.ts';
import type { Vector } from '../../src/method/index.ts';

export interface ComparedSetting {
  readonly figure: Figure;
  readonly study: FigureStudy;
  readonly rows: number;
}

/** The ends of a figure's range, or near them: its largest n where that is fast enough. */
const SIZES: Readonly<Record<string, readonly number[]>> = {
  plot1: [1000, 10_000],
  plot2: [500, 5500],
  plot3: [10_000, 100_000],
  plot4: [600, 1500],
  plot5: [2000, 20_000],
  plot6: [50_000],
  plot7: [500, 20_000],
};

export const comparedSettings: readonly ComparedSetting[] = figures().flatMap(figure =>
  figure.studies.flatMap(study => SIZES[figure.name]!.map(rows => ({ figure, study, rows }))),
);

/** The error that the figure shows, without the logarithm that some figures take of it. */
export function errorMeasure(
  { figure, study }: ComparedSetting,
  data: SampleBatch,
  truth: Vector,
): (theta: Vector) => number {
  const measure = study.measure(data, truth);
  return isLogarithm(figure) ? theta => Math.exp(measure(theta)) : measure;
}

const LOG = 'log ';
const isLogarithm = ({ y }: Figure): boolean => y.startsWith(LOG);

/** What `errorMeasure` measures, in words. */
export const errorName = (figure: Figure): string => (isLogarithm(figure) ? figure.y.slice(LOG.length) : figure.y);
