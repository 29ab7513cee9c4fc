/** Sluice: robust and private regression. This page is its table of contents. */

// Rows, from files, streams and arrays
export { openSamples } from './source/openSamples.ts';
export { expandPaths } from './source/expandPaths.ts';
export { type OpenOptions, openTable } from './source/openTable.ts';
export { filesInQuery } from './source/sql/filesInQuery.ts';
export { openSql } from './source/sql/openSql.ts';
export { type ReadOptions, type TableSamples, tableSamples, type UnusableIn } from './source/tableSamples.ts';
export type { Field, Frame, Table } from './source/table.ts';
export type { Design, DesignColumn, DesignOptions } from './source/design.ts';
export type { NullPolicy, TargetRule } from './source/rowPolicy.ts';
export { type ScatteredSamples, type ScatterOptions, scatter } from './source/scatter.ts';
export { DataError } from './source/dataError.ts';
export { type Samples, samplesOf } from './sample/samples.ts';
export { mapSamples } from './sample/mapSamples.ts';
export { INTERCEPT } from './sample/intercept.ts';
export { rowRange } from './sample/rowRange.ts';
export { gather } from './sample/gather.ts';
export type { Chunk } from './sample/chunk.ts';
export { rowsBetween, type SampleBatch, sampleBatch } from './sample/sampleBatch.ts';
export { type Arena, columnArena } from './sample/arena.ts';
export {
  type FeatureBounds,
  type FeatureInterval,
  type Interval,
  type Scaling,
  type ScalingOptions,
  scalingOf,
  unscale,
} from './sample/scaling.ts';
export { scaledSamples } from './source/scaledSamples.ts';
export { whitenedSamples } from './source/whitenedSamples.ts';
export { unwhiten, type WhiteAxis, type Whitening, whiteningOf } from './sample/whitening.ts';
export { perUnit } from './source/perUnit.ts';

// The pipeline: split, stages, descend, summarize
export { split } from './flow/split.ts';
export { passes } from './flow/passes.ts';
export { blockSums, type Kernel } from './flow/blockSums.ts';
export { type IntegerKernel, integerSums } from './flow/integerSums.ts';
export { gramSums, suitsGram } from './flow/gramSums.ts';
export { type HuberGradientOptions, huberGradient } from './flow/huberGradient.ts';
export { perturb } from './flow/perturb.ts';
export { aggregateBy, geometricMedian, mean } from './flow/aggregateBy.ts';
export { type AnyStage, type Flowing, type Stage, type StageKind, type Step, stage } from './flow/stage.ts';
export { descend } from './flow/descend.ts';
export type { Iterate } from './flow/iterate.ts';
export { type Fit, type StepSummary, summarize } from './flow/summarize.ts';
export type { ExplainOptions, Explanation } from './model/explain/explanation.ts';
export { explainEstimate } from './model/explain/explainEstimate.ts';
export {
  type AskedOfPlanner,
  type ExplainPrivateOptions,
  explainPrivate,
} from './model/explain/explainPrivate.ts';
export { explainLevels } from './model/explain/explainLevels.ts';
export { ridgeNotes } from './model/explain/ridgeNotes.ts';
export { MOST_THREADS } from './sample/kernelRegion.ts';
export type { LevelTally } from './sample/levelTally.ts';
export { type Estimate, type EstimateOptions, estimate, layoutFor, readsOnce } from './flow/estimate.ts';
export {
  type FitSettings,
  type FittedSamples,
  fitSamples,
  type HeldOut,
  needsPilot,
} from './flow/fitSamples.ts';
export type { FitUncertainty } from './flow/uncertaintyOf.ts';
export { fitPlan, type PlanRun } from './flow/fitPlan.ts';
export { isShuffled, type RowOrder } from './flow/withChunks.ts';
export { fitPrivate, type PrivateFit, type PrivateRun, requirePrivateScratch } from './flow/fitPrivate.ts';
export { type ReleasedMoments, releaseMoments } from './flow/releaseMoments.ts';
export { releaseLook } from './flow/releaseLook.ts';
export { descendArrays } from './flow/descendArrays.ts';
export { privateSgd } from './flow/privateSgd.ts';

// Plans: by hand, from a pilot, or by a theorem of the paper
export { type Aggregate, type FitOptions, planFit } from './plan/planFit.ts';
export {
  type PrivateUncertainty,
  privateUncertainty,
  type Released,
} from './plan/private/privateUncertainty.ts';
export { type LastLook, type RiskAxis, riskAxes } from './plan/private/riskAxes.ts';
export { type Bend, bendOfClasses } from './plan/private/bendOfClasses.ts';
export {
  type LookPlan,
  type MomentPlan,
  type PrivateOptions,
  type PrivatePlan,
  type PrivatePrediction,
  planPrivate,
} from './plan/private/planPrivate.ts';
export { isPoissonWithin, isSquaredWithin } from './plan/private/boundedLoss.ts';
export { momentAccount } from './plan/private/momentAccount.ts';
export { MOST_PRIVATE_STEPS } from './plan/private/privateApproach.ts';
export { planTheorem, type TheoremOptions } from './plan/planTheorem.ts';
export * as theorems from './plan/theorem/theorems.ts';
export {
  type Argument,
  catalogue,
  type Theorem,
  theoremNamed,
  VECTORS,
} from './plan/theorem/catalogue.ts';
export { isFeasible, type Prescription } from './plan/prescription.ts';
export type { Condition } from './plan/condition.ts';
export { cellsOf, type Layout, type LayoutOptions, layoutRows } from './plan/layout.ts';
export type { Pilot } from './pilot/pilot.ts';
export { LARGEST_VALUE } from './pilot/requireUsable.ts';
export { type PilotOptions, studyPilot } from './pilot/studyPilot.ts';
export { geometricChunks, type Schedule, uniformChunks } from './plan/schedule.ts';
export { type PredictedError, predictError } from './plan/private/predictError.ts';
export type { Calibration, Plan, PrivacyTarget, StepPlan } from './plan/plan.ts';

// Losses, and the domain on which they state their constants
export { squared } from './loss/squared.ts';
export { heldSquared } from './loss/heldSquared.ts';
export { ridge } from './loss/ridge.ts';
export { logistic } from './loss/logistic.ts';
export { poisson } from './loss/poisson.ts';
export { type Glm, glm } from './loss/glm.ts';
export { gemanMcClure } from './loss/gemanMcClure.ts';
export { pseudoHuber } from './loss/pseudoHuber.ts';
export { tukey } from './loss/tukey.ts';
export { weightedLogistic } from './loss/weightedLogistic.ts';
export { LOSS_NAMES, type LossName, lossByName, type NamedLoss } from './loss/lossByName.ts';
export type { GivenLoss } from './loss/namedLossOf.ts';
export { type AcceptedTargets, acceptedTargets } from './loss/acceptedTargets.ts';
export type { Loss, LossKernel } from './loss/loss.ts';
export { type Domain, domain } from './loss/domain.ts';

// Update rules, and the sets they keep to
export { projectedGradient } from './rule/projectedGradient.ts';
export { type Momentum, nesterov } from './rule/nesterov.ts';
export { frankWolfe } from './rule/frankWolfe.ts';
export { acceleratedFrankWolfe } from './rule/acceleratedFrankWolfe.ts';
export { preconditioned } from './rule/preconditioned.ts';
export { type NewtonState, newton } from './rule/newton.ts';
export { tailAveraged } from './rule/tailAveraged.ts';
export { restarted } from './rule/restarted.ts';
export type { Method } from './rule/methods.ts';
export type { UpdateRule } from './rule/updateRule.ts';
export { everywhere } from './constraint/everywhere.ts';
export { l2Ball } from './constraint/l2Ball.ts';
export { l1Ball } from './constraint/l1Ball.ts';
export { box } from './constraint/box.ts';
export { allButLast } from './constraint/allButLast.ts';
export type { Constraint } from './constraint/constraint.ts';

// Gradients: kernels, aggregators, the estimator for contaminated rows
export { type BlockRequest, type BlockSummer, blockSummer } from './gradient/blockSummer.ts';
export { fastSummer } from './gradient/fastSummer.ts';
export { type IntegerRequest, integerSummer, type Quantization } from './gradient/integerSummer.ts';
export { type MomentRequest, momentSummer } from './gradient/momentSummer.ts';
export { type LookRequest, lookSummer } from './gradient/lookSummer.ts';
export { fastIntegerSummer } from './gradient/fastIntegerSummer.ts';
export { type EngineOptions, type LocalEngine, localEngine } from './engine/localEngine.ts';
export { type Points, rowGradients } from './gradient/rowGradients.ts';
export { type HuberOptions, huberEstimator } from './gradient/huberEstimator.ts';
export { mean as meanAggregator } from './aggregate/mean.ts';
export { geometricMedian as medianAggregator, medianOfPoints } from './aggregate/geometricMedian.ts';
export { blockCount, blockLayout, medianOfMeansLayout } from './aggregate/blockCount.ts';
export type { Aggregator } from './aggregate/aggregator.ts';
export type { BlockSums, Gradient, Privacy } from './sample/blockSums.ts';

// Privacy: what noise a guarantee needs, and what a run has spent
export { delta, epsilonFor, logDelta, muFor, zeroConcentrated } from './privacy/gaussianDp.ts';
export { type Budget, gaussianNoise, meanSensitivity } from './privacy/gaussianNoise.ts';
export { type IntegerNoise, integerNoise } from './privacy/integerNoise.ts';
export { integerRelease } from './privacy/integerRelease.ts';
export {
  composedNoise,
  frankWolfeNoise,
  LARGEST_PAPER_EPSILON,
  singleRowNoise,
} from './privacy/paperNoise.ts';
export { gaussianEvent, nonPrivateEvent, type PrivacyEvent, type RowSet } from './privacy/event.ts';
export { ledger, type PrivacyLedger } from './privacy/ledger.ts';
export type { Mechanism, Release } from './privacy/mechanism.ts';
export { discreteGaussianMechanism } from './privacy/discreteGaussianMechanism.ts';
export { simulatedGaussian } from './privacy/simulatedGaussian.ts';
export {
  type LedgerFile,
  type LedgerOptions,
  type LedgerRun,
  openLedgerFile,
  type RunPlan,
} from './privacy/ledgerFile/openLedgerFile.ts';
export { type LedgerContents, readLedgerFile } from './privacy/ledgerFile/readLedgerFile.ts';
export type { Guarantee, RunRecord } from './privacy/ledgerFile/record.ts';
export type { DatasetAccount, RunAccount } from './privacy/ledgerFile/book.ts';
export { type Protection, protectionText } from './privacy/ledgerFile/protection.ts';
export { recorded } from './privacy/recorded.ts';

// Audits: whether a private pipeline does what it declares
export { type AuditOptions, auditPrivate } from './audit/auditPrivate.ts';
export type { AuditReport } from './audit/auditReport.ts';
export type { Breach } from './audit/breach.ts';
export { privatePipeline } from './audit/privatePipeline.ts';
export type { Pipeline } from './audit/observe.ts';
export { smallPlan } from './audit/smallPlan.ts';

// Randomness, and the paper's synthetic data
export { secure } from './random/secure.ts';
export { seeded } from './random/seeded.ts';
export { type Random, rademacher, uniform } from './random/random.ts';
export { normal } from './random/normal.ts';
export { discreteGaussian } from './random/discreteGaussian.ts';
export { studentT } from './random/studentT.ts';
export { truncatedNormal } from './random/truncatedNormal.ts';
export { permutation } from './random/permutation.ts';
export * as synthetic from './source/synthetic/figures.ts';
export { contaminate, type Outliers } from './source/synthetic/contaminate.ts';
export { lowerBoundData } from './source/synthetic/lowerBoundData.ts';
export { logisticSphere } from './source/synthetic/logisticSphere.ts';

// The paper's figures: runs, tables, verdicts and pictures
export type { Figure, Reading, Study } from './experiment/figure.ts';
export type { Point } from './experiment/point.ts';
export { figureByName, figures } from './experiment/figures.ts';
export { figureWork, iteratesOf, runFigure } from './experiment/runFigure.ts';
export {
  type ComparedSetting,
  comparedSettings,
  errorMeasure,
} from './experiment/beyond/comparedSettings.ts';
export { betterPlans } from './experiment/beyond/betterPlans.ts';
export { tailAverage } from './experiment/beyond/tailAverage.ts';
export { defaultFits } from './experiment/beyond/defaultFits.ts';
export { comparisonPage } from './experiment/beyond/comparisonPage.ts';
export type { Exhibit } from './experiment/exhibit.ts';
export { exhibitByName, exhibits } from './experiment/exhibits.ts';
export { leastGradient } from './experiment/leastGradient.ts';
export { runTasks } from './experiment/crew.ts';
export type { FigureTask } from './experiment/figureTask.ts';
export { type Cell, figureCells } from './experiment/figureCells.ts';
export { cellTable } from './experiment/cellTable.ts';
export { logisticExcess, squaredExcess } from './experiment/excessRisk.ts';
export { type Claim, type Judgement, judge, type Verdict } from './experiment/verdict.ts';
export { type FigureReport, figureReport } from './experiment/figureReport.ts';
export { gallery, won } from './experiment/gallery.ts';
export { codeVersion } from './experiment/codeVersion.ts';
export { type Chart, chartPng, chartSvg } from './report/chart.ts';

// Models, files, vectors, and what every function above throws for an argument it cannot use
export { MODEL_FORMAT, MODEL_VERSION, type Model, parseModel, type Uncertainty } from './model/model.ts';
export { type EstimatedRows, estimateModel } from './model/estimateModel.ts';
export { type PrivateRows, privateFitModel } from './model/privateFitModel.ts';
export { type ModelAccount, modelFile } from './model/modelFile.ts';
export { namedUncertainty } from './model/namedUncertainty.ts';
export { type ModelDesign, modelDesign } from './model/modelDesign.ts';
export { referenceOf } from './model/referenceOf.ts';
export { type UnknownLevels, unknownLevelLines, unknownLevels } from './model/unknownLevels.ts';
export { scorer } from './model/scorer.ts';
export { type Evaluation, evaluate } from './model/evaluation.ts';
export { claimText } from './report/claimText.ts';
export { setText } from './report/setText.ts';
export { htmlReport } from './report/htmlReport.ts';
export {
  holdsMetadata,
  openPredictionSink,
  type PredictionSink,
  requireTableFile,
  type SinkOptions,
} from './sink/openPredictionSink.ts';
export { arrowTable } from './sink/arrowTable.ts';
export { placeOf } from './sink/placeOf.ts';
export { whileUnfinished, writeWhole } from './sink/writeWhole.ts';
export { type Inspection, inspectTable } from './source/inspection.ts';
export { type Cholesky, cholesky } from './math/cholesky.ts';
export { distance, filled, norm, type Vector, zeros } from './math/vector.ts';
export { listed } from './sample/listed.ts';
export { counted } from './math/counted.ts';
export { toDigits } from './math/toDigits.ts';
export { roundedDown } from './math/roundedDown.ts';
export { ArgumentError } from './math/check.ts';
export { version } from './version.ts';
