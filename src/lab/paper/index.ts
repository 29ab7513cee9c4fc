/**
 * The paper's figures, their data and verdicts, and its algorithms as loops over arrays.
 *
 * @module sluice/paper
 */

// Algorithms over arrays
export { descendArrays } from './descendArrays.ts';
export { privateSgd } from './privateSgd.ts';
export { simulatePrivateSgd } from './simulatePrivateSgd.ts';

// Synthetic data, and distributions to make more of them
export * as synthetic from '../synthetic/figures.ts';
export { contaminate, type Outliers } from '../synthetic/contaminate.ts';
export { logisticSphere } from '../synthetic/logisticSphere.ts';
export { lowerBoundData } from '../synthetic/lowerBoundData.ts';
export { uniform, type Random } from '../../math/random/random.ts';
export { normal } from '../../math/random/normal.ts';
export { studentT } from '../../math/random/studentT.ts';
export { truncatedNormal } from '../../math/random/truncatedNormal.ts';
export { permutation } from '../../math/random/permutation.ts';

// Figures: runs, tables, verdicts, pictures
export { exhibitByName, exhibits, figureByName, figures } from './exhibits.ts';
export { runFigure, iteratesOf } from './runFigure.ts';
export { runTasks } from './crew.ts';
export { figureCells, cellTable, type FigureCell } from './figureCells.ts';
export { figureReport, type FigureReport } from './figureReport.ts';
export { gallery, outcomesText } from './gallery.ts';
export { judge, type Claim, type Judgement, type Verdict } from './verdict.ts';
export { squaredExcess, logisticExcess } from './exhibits/excessRisk.ts';
export { leastGradient } from './exhibits/lowerBound.ts';
export { codeVersion } from './crew.ts';
export type { Figure, FigureStudy, Reading } from './figure.ts';
export type { Exhibit } from './exhibit.ts';
export type { FigureTask } from './figureWorker.ts';
export type { Point } from './figure.ts';
