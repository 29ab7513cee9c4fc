/** Sluice: robust and private regression. This page is its table of contents. */

// From rows to a gradient
export type { Aggregator } from './aggregate/aggregator.ts';
export { blockCount, blockLayout, medianOfMeansLayout } from './aggregate/blockCount.ts';
export { geometricMedian, medianOfPoints } from './aggregate/geometricMedian.ts';
export { mean } from './aggregate/mean.ts';
// Sets of parameters
export { box } from './constraint/box.ts';
export type { Constraint } from './constraint/constraint.ts';
export { everywhere } from './constraint/everywhere.ts';
export { l1Ball } from './constraint/l1Ball.ts';
export { l2Ball } from './constraint/l2Ball.ts';
// Running a plan over rows in memory
export { descendArrays } from './flow/descendArrays.ts';
export type { Iterate } from './flow/iterate.ts';
export { privateSgd } from './flow/privateSgd.ts';
export { type BlockSummer, blockSummer } from './gradient/blockSummer.ts';
export { type HuberOptions, huberEstimator } from './gradient/huberEstimator.ts';
export { type Points, rowGradients } from './gradient/rowGradients.ts';
// Losses, and the domain on which they state their constants
export { type Domain, domain } from './loss/domain.ts';
export { type Glm, glm } from './loss/glm.ts';
export { logistic } from './loss/logistic.ts';
export type { Loss } from './loss/loss.ts';
export { poisson } from './loss/poisson.ts';
export { pseudoHuber } from './loss/pseudoHuber.ts';
export { ridge } from './loss/ridge.ts';
export { squared } from './loss/squared.ts';
// What every function above throws for an argument it cannot use; and vectors
export { ArgumentError } from './math/check.ts';
export { type Cholesky, cholesky } from './math/cholesky.ts';
export { distance, norm, type Vector } from './math/vector.ts';
// Plans: by hand, or by a theorem of the paper
export type { Condition } from './plan/condition.ts';
export type { Plan, StepPlan } from './plan/plan.ts';
export { type FitOptions, planFit } from './plan/planFit.ts';
export { planTheorem, type TheoremOptions } from './plan/planTheorem.ts';
export { isFeasible, type Prescription } from './plan/prescription.ts';
export { geometricChunks, type Schedule, uniformChunks } from './plan/schedule.ts';
export * as theorems from './plan/theorem/theorems.ts';
// Privacy: what noise a guarantee needs, and what a run has spent
export { gaussianEvent, nonPrivateEvent, type PrivacyEvent, type RowSet } from './privacy/event.ts';
export { delta, epsilonFor, logDelta, muFor, zeroConcentrated } from './privacy/gaussianDp.ts';
export { gaussianNoise, meanSensitivity } from './privacy/gaussianNoise.ts';
export { type IntegerNoise, integerNoise } from './privacy/integerNoise.ts';
export { ledger, type PrivacyLedger } from './privacy/ledger.ts';
export type { Mechanism, Release } from './privacy/mechanism.ts';
export { composedNoise, frankWolfeNoise, singleRowNoise } from './privacy/paperNoise.ts';
export { simulatedGaussian } from './privacy/simulatedGaussian.ts';
// Randomness, and the paper's synthetic data
export { normal } from './random/normal.ts';
export { type Random, rademacher, uniform } from './random/random.ts';
export { secure } from './random/secure.ts';
export { seeded } from './random/seeded.ts';
export { studentT } from './random/studentT.ts';
export { truncatedNormal } from './random/truncatedNormal.ts';
// From gradients to an estimate
export { acceleratedFrankWolfe } from './rule/acceleratedFrankWolfe.ts';
export { frankWolfe } from './rule/frankWolfe.ts';
export { nesterov } from './rule/nesterov.ts';
export { preconditioned } from './rule/preconditioned.ts';
export { projectedGradient } from './rule/projectedGradient.ts';
export type { UpdateRule } from './rule/updateRule.ts';
export type { BlockSums, Gradient, Privacy } from './sample/blockSums.ts';
export { rowsBetween, type SampleBatch, sampleBatch } from './sample/sampleBatch.ts';
export * as synthetic from './source/synthetic/figures.ts';

export { version } from './version.ts';
