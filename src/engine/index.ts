/**
 * `sluice/engines`: what computes block sums of a chunk: threads of this machine, compiled kernels, and the plain
 * TypeScript that they agree with to the bit.
 *
 * @module
 */
export { type BlockRequest, type BlockSummer, blockSummer } from './kernel/blockSummer.ts';
export { type CurvatureRequest, curvatureSummer } from './kernel/curvatureSummer.ts';
export { type HuberOptions, huberEstimator } from './kernel/huberEstimator.ts';
export { type IntegerRequest, integerSummer, type Quantization } from './kernel/integerSummer.ts';
export { type MomentRequest, momentSummer } from './kernel/momentSummer.ts';
export { fastIntegerSummer, fastSummer } from './kernel/wasmSummer.ts';
export { type EngineOptions, type LocalEngine, localEngine } from './local/localEngine.ts';
