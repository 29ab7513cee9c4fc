/**
 * Robust and differentially private regression as a dataflow over Arrow record batches. This page is the table of
 * contents; entries such as `sluice/method` hold the rest.
 *
 * @module sluice
 */

// One call from rows to a result
export { estimate, type EstimateOptions } from './fit/estimate.ts';
export { estimatePrivately, type PrivateEstimateOptions } from './fit/private/estimatePrivately.ts';
export { estimateOnline } from './fit/online/estimateOnline.ts';
export { predict, predictBatches, type Predictions } from './fit/predict.ts';
export { evaluate } from './fit/evaluate.ts';
export { inspect } from './fit/inspect.ts';
export { batches } from './source/memory/batches.ts';
export { fromSql } from './source/sql/openSql.ts';
export { parseModel, formatModel, type Model } from './model/model.ts';
export type { RowSource } from './source/memory/rowSource.ts';
export type { Estimate, Coefficient } from './fit/result.ts';
export type { Evaluation } from './model/evaluation.ts';
export type { Inspection } from './source/inspect/inspection.ts';

// A pipeline: chunks of rows, stages, and the descent
export { split } from './flow/split.ts';
export { passes } from './flow/passes.ts';
export { blockSums } from './flow/blockSums.ts';
export { perturb } from './flow/perturb.ts';
export { geometricMedian, mean } from './flow/aggregateBy.ts';
export { stage, type Stage } from './flow/stage.ts';
export { descend } from './flow/descend.ts';
export { summarize, type Fit } from './flow/summarize.ts';
export type { Chunk } from './sample/chunk.ts';
export type { Iterate } from './flow/iterate.ts';
export type { Samples } from './sample/samples.ts';
export type { SampleBatch } from './sample/sampleBatch.ts';

// Plans, and what they are made of: losses, rules, sets
export { planFit } from './plan/planFit.ts';
export { squared } from './method/loss/squared.ts';
export { logistic } from './method/loss/logistic.ts';
export { poisson } from './method/loss/poisson.ts';
export { pseudoHuber } from './method/loss/pseudoHuber.ts';
export { tukey } from './method/loss/tukey.ts';
export { ridge } from './method/loss/ridge.ts';
export { projectedGradient } from './method/rule/projectedGradient.ts';
export { nesterov } from './method/rule/nesterov.ts';
export { frankWolfe } from './method/rule/frankWolfe.ts';
export { newton } from './method/rule/newton.ts';
export { l2Ball } from './method/constraint/l2Ball.ts';
export { l1Ball } from './method/constraint/l1Ball.ts';
export { box } from './method/constraint/box.ts';
export type { Plan } from './plan/plan.ts';
export type { Loss } from './method/loss/loss.ts';
export type { NamedLoss } from './method/loss/lossByName.ts';
export type { UpdateRule } from './method/rule/updateRule.ts';
export type { Constraint } from './method/constraint/constraint.ts';
export type { PrivacyLedger } from './privacy/ledger.ts';

// Randomness from a seed, and what everything above throws
export { seeded } from './math/random/seeded.ts';
export { version } from './version.ts';
export { ArgumentError, DataError, type ErrorCode } from './errors.ts';
