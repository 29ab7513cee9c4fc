/**
 * What computes block sums of a chunk: engines in which rows stay, threads of this machine, compiled kernels, and the plain TypeScript that they
 * are checked against.
 *
 * @module sluice/engines
 */

// Rows that stay in an engine
export { onDuckdb, type DuckdbOptions } from './duckdb/onDuckdb.ts';
export { onSpark, type SparkOptions } from './spark/onSpark.ts';
export type { SqlRows } from './sql/sqlSession.ts';

// Threads
export { localEngine, type LocalEngine, type EngineOptions } from './local/localEngine.ts';

// Kernels
export { blockSummer, type BlockSummer, type BlockRequest } from './kernel/blockSummer.ts';
export { fastSummer, fastIntegerSummer } from './kernel/wasmSummer.ts';
export { integerSummer, type IntegerRequest, type Quantization } from './kernel/integerSummer.ts';
export { momentSummer, type MomentRequest } from './kernel/wholeSummer.ts';
export { curvatureSummer, type CurvatureRequest } from './kernel/wholeSummer.ts';
export { huberEstimator, type HuberOptions } from './kernel/huberEstimator.ts';
