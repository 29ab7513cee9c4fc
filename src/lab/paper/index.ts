/**
 * `sluice/paper`: the paper's figures, their data and verdicts, and its algorithms as loops over arrays.
 *
 * @module
 */

export { normal } from '../../math/random/normal.ts';
export { permutation } from '../../math/random/permutation.ts';
export { type Random, uniform } from '../../math/random/random.ts';
export { studentT } from '../../math/random/studentT.ts';
export { truncatedNormal } from '../../math/random/truncatedNormal.ts';
export { contaminate, type Outliers } from '../synthetic/contaminate.ts';
// Synthetic data, and distributions to make more of them
export * as synthetic from '../synthetic/figures.ts';
export { logisticSphere } from '../synthetic/logisticSphere.ts';
export { lowerBoundData } from '../synthetic/lowerBoundData.ts';
// Figures: runs, tables, verdicts, pictures
export { codeVersion } from './codeVersion.ts';
export { runTasks } from './crew.ts';
// Algorithms over arrays
export { descendArrays } from './descendArrays.ts';
export { logisticExcess, squaredExcess } from './excessRisk.ts';
export type { Exhibit } from './exhibit.ts';
export { exhibitByName, exhibits } from './exhibits.ts';
export type { Figure, FigureStudy, Reading } from './figure.ts';
export { cellTable, type FigureCell, figureCells } from './figureCells.ts';
export { type FigureReport, figureReport } from './figureReport.ts';
export { figureByName, figures } from './figures.ts';
export type { FigureTask } from './figureTask.ts';
export { gallery } from './gallery.ts';
export { leastGradient } from './lowerBound.ts';
export type { Point } from './point.ts';
export { privateSgd } from './privateSgd.ts';
export { iteratesOf, runFigure } from './runFigure.ts';
export { type Claim, type Judgement, judge, type Verdict } from './verdict.ts';
