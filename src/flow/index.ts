/**
 * `sluice/flow`: stages and rows for pipelines of one's own, beyond those of the root.
 *
 * @module
 */

// From chunks to sums, and from sums to a gradient
export type { BlockSums, Gradient, Privacy } from '../sample/blockSums.ts';
// Rows, and the order they come in
export type { Chunk } from '../sample/chunk.ts';
export { type SampleBatch, sampleBatch } from '../sample/sampleBatch.ts';
export { samplesOf } from '../sample/samples.ts';
export { type ScatteredSamples, type ScatterOptions, scatter } from '../sample/shuffle/scatter.ts';
export { mapSamples } from '../sample/transform/mapSamples.ts';
export { perUnit } from '../sample/transform/perUnit.ts';
export { scaledSamples } from '../sample/transform/scaledSamples.ts';
export { aggregateBy } from './aggregateBy.ts';
export type { Kernel } from './blockSums.ts';
export { gramSums } from './gramSums.ts';
export { type HuberGradientOptions, huberGradient } from './huberGradient.ts';
export { type IntegerKernel, integerSums } from './integerSums.ts';
// A whole plan at once
export { type RunOptions, runPlan, type Sums } from './runPlan.ts';
export type { Flowing, StageKind, Step } from './stage.ts';
export type { StepSummary } from './summarize.ts';
