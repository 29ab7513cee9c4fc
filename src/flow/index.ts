/**
 * Stages and rows for pipelines of one's own, beyond those of the root.
 *
 * @module sluice/flow
 */

// Rows, and the order they come in
export { sampleBatch, rowsBetween } from '../sample/sampleBatch.ts';
export { samplesOf } from '../sample/samples.ts';
export { scatter, type ScatteredSamples, type ScatterOptions } from '../sample/shuffle/scatter.ts';
export { mapSamples } from '../sample/transform/mapSamples.ts';
export { perUnit } from '../sample/transform/perUnit.ts';
export { unitKey, unitTable, type UnitId, type UnitTable } from '../sample/transform/unitTable.ts';
export { scaledSamples } from '../sample/transform/scaledSamples.ts';
export type { SplitOptions } from './split.ts';

// From chunks to sums, and from sums to a gradient
export { integerSums, type IntegerKernel } from './integerSums.ts';
export { releaseSums } from './releaseSums.ts';
export { answerOf, stored, type StoredRelease } from './stored.ts';
export { gramSums } from './gramSums.ts';
export { huberGradient, type HuberGradientOptions } from './huberGradient.ts';
export { aggregateBy } from './aggregateBy.ts';
export type { Kernel } from './blockSums.ts';
export type { BlockSums, Gradient, Privacy } from '../sample/gradientSums.ts';
export type { AnyStage, Flowing, StageKind, Step } from './stage.ts';

// A whole plan at once
export { runPlan, type RunOptions, type Sums } from './runPlan.ts';
export type { StepSummary } from './summarize.ts';
