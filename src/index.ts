/** Sluice: robust and private regression. This page is its table of contents. */

// Rows, from files, streams and arrays
export { openSamples } from './source/read/openSamples.ts';
export { type OpenRowsOptions, openRows, openTables } from './source/read/openRows.ts';
export { type BatchesOptions, batches } from './source/memory/batches.ts';
export type {
  ArrowBatch,
  ArrowTable,
  Columns,
  ColumnValues,
  RowSource,
  Subscribable,
} from './source/memory/rowSource.ts';
export { expandPaths } from './source/table/expandPaths.ts';
export { type OpenOptions, openTable } from './source/read/openTable.ts';
export { filesInQuery } from './source/sql/filesInQuery.ts';
export { fromSql, openSql } from './source/sql/openSql.ts';
export {
  type ReadOptions,
  type TableSamples,
  tableSamples,
  type UnusableIn,
} from './source/read/tableSamples.ts';
export type { Field, Frame, Table } from './source/table/table.ts';
export type { Design, DesignColumn, DesignOptions } from './source/design/design.ts';
export type { NullPolicy, TargetRule } from './source/read/rowPolicy.ts';
export { type ScatteredSamples, type ScatterOptions, scatter } from './sample/shuffle/scatter.ts';
export { DataError } from './errors.ts';
export { type Samples, samplesOf } from './sample/samples.ts';
export { mapSamples } from './sample/transform/mapSamples.ts';
export { INTERCEPT } from './sample/samples.ts';
export { rowRange } from './sample/transform/mapSamples.ts';
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
} from './sample/transform/scaling.ts';
export { scaledSamples } from './sample/transform/scaledSamples.ts';
export { whitenedSamples } from './sample/transform/whitenedSamples.ts';
export { unwhiten, type WhiteAxis, type Whitening, whiteningOf } from './sample/transform/whitening.ts';
export { perUnit } from './sample/transform/perUnit.ts';

// The pipeline: split, stages, descend, summarize
export { type SplitOptions, split } from './flow/split.ts';
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
export type { ExplainOptions, Explanation } from './inference/diagnostics/notes.ts';
export { explainEstimate } from './inference/diagnostics/explainEstimate.ts';
export {
  type AskedOfPlanner,
  type ExplainPrivateOptions,
  explainPrivate,
} from './inference/diagnostics/explainPrivate.ts';
export { explainLevels } from './inference/diagnostics/columns/levels.ts';
export { privatePenaltyNotes } from './inference/diagnostics/explainPrivate.ts';
export { MOST_THREADS } from './sample/kernelRegion.ts';
export type { LevelTally } from './sample/levelTally.ts';
export { type CoefficientSet, type EstimateOptions, estimate, planEstimate } from './fit/estimate.ts';
export { estimateByTheorem, type TheoremEstimateOptions, type TheoremRun } from './fit/estimateByTheorem.ts';
export { openForModel } from './fit/openForModel.ts';
export {
  estimatePrivately,
  type LedgerEntry,
  type PrivateEstimateOptions,
} from './fit/private/estimatePrivately.ts';
export {
  declaredFeatures,
  type PrivateRequest,
  type PrivateRequestOptions,
  privateRequest,
  privateWarnings,
} from './fit/private/privateRequest.ts';
export { theoremRequest } from './fit/private/theoremRequest.ts';
export type { CallOptions, Progress } from './fit/call.ts';
export type { Coefficient, Covariance, Estimate, Note } from './fit/result.ts';
export { type EvaluateOptions, evaluate, type SourceEvaluation } from './fit/evaluate.ts';
export { inspect } from './fit/inspect.ts';
export {
  type PredictionAccount,
  type Predictions,
  type PredictOptions,
  predict,
  predictBatches,
} from './fit/predict.ts';
export { type FitRowsOptions, fitRows, layoutFor, readsOnce } from './fit/fitRows.ts';
export {
  type FitSettings,
  fitSamples,
  type HeldOut,
  needsPilot,
} from './fit/fitSamples.ts';
export type { FitQuality, FittedRun, PrivateFit } from './inference/fittedRun.ts';
export type { FitUncertainty } from './inference/intervals/uncertaintyOf.ts';
export { fitPlan, type PlanRun } from './fit/fitPlan.ts';
export { isShuffled, type RowOrder } from './fit/input/withChunks.ts';
export {
  fitPrivate,
  type PrivateRun,
  requirePrivateScratch,
} from './fit/private/fitPrivate.ts';
export { type ReleasedMoments, releaseMoments } from './fit/private/whitenRows.ts';
export { releaseCurvature } from './fit/private/releaseCurvature.ts';
export { descendArrays } from './lab/paper/descendArrays.ts';
export { privateSgd } from './lab/paper/privateSgd.ts';
export { simulatePrivateSgd } from './lab/paper/simulatePrivateSgd.ts';

// Plans: by hand, from a pilot, or by a theorem of the paper
export { type Aggregate, type FitOptions, planFit } from './plan/planFit.ts';
export {
  type PrivateUncertainty,
  privateUncertainty,
  type Released,
} from './inference/intervals/private/privateUncertainty.ts';
export { type ReleasedCurvature, type RiskAxis, riskAxes } from './inference/intervals/private/riskAxes.ts';
export { type Bend, bendOfClasses } from './inference/intervals/private/riskAxes.ts';
export {
  type CurvaturePlan,
  type MomentPlan,
  type PrivateOptions,
  type PrivatePlan,
  type PrivatePrediction,
  planPrivate,
} from './plan/private/planPrivate.ts';
export { isPoissonWithin, isSquaredWithin } from './plan/private/boundedLoss.ts';
export { momentAccount } from './fit/private/privateFitModel.ts';
export { MOST_PRIVATE_STEPS } from './plan/private/privateApproach.ts';
export { planTheorem, type TheoremOptions } from './plan/theorem/planTheorem.ts';
export * as theorems from './plan/theorem/theorems.ts';
export {
  type Argument,
  catalogue,
  type Theorem,
  theoremNamed,
  VECTORS,
} from './plan/theorem/catalogue.ts';
export { isFeasible, type Prescription } from './plan/theorem/prescription.ts';
export type { Condition } from './plan/theorem/prescription.ts';
export { cellsOf, type Layout, type LayoutOptions, layoutRows } from './plan/layout.ts';
export type { Pilot } from './inference/pilot/studyPilot.ts';
export { LARGEST_VALUE } from './inference/pilot/studyPilot.ts';
export { type PilotOptions, studyPilot } from './inference/pilot/studyPilot.ts';
export { geometricChunks, type Schedule, uniformChunks } from './plan/schedule.ts';
export { type PredictedError, predictError } from './plan/private/predictError.ts';
export type { Calibration, Plan, PrivacyTarget, StepPlan } from './plan/plan.ts';

// Losses, and the domain on which they state their constants
export { squared } from './method/loss/squared.ts';
export { huber } from './method/loss/huber.ts';
export { ridge } from './method/loss/ridge.ts';
export { logistic } from './method/loss/logistic.ts';
export { poisson } from './method/loss/poisson.ts';
export { type Glm, glm } from './method/loss/glm.ts';
export { gemanMcClure } from './method/loss/gemanMcClure.ts';
export { pseudoHuber } from './method/loss/pseudoHuber.ts';
export { tukey } from './method/loss/tukey.ts';
export { weightedLogistic } from './method/loss/weightedLogistic.ts';
export { LOSS_NAMES, type LossName, lossByName, type NamedLoss } from './method/loss/lossByName.ts';
export type { GivenLoss } from './method/loss/namedLossOf.ts';
export { type AcceptedTargets, acceptedTargets } from './method/loss/acceptedTargets.ts';
export type { Loss, LossKernel } from './method/loss/loss.ts';
export { type Domain, domain } from './method/loss/domain.ts';

// Update rules, and the sets they keep to
export { projectedGradient } from './method/rule/projectedGradient.ts';
export { type Momentum, nesterov } from './method/rule/nesterov.ts';
export { frankWolfe } from './method/rule/frankWolfe.ts';
export { acceleratedFrankWolfe } from './method/rule/acceleratedFrankWolfe.ts';
export { preconditioned } from './method/rule/preconditioned.ts';
export { type NewtonState, newton } from './method/rule/newton.ts';
export { tailAveraged } from './method/rule/tailAveraged.ts';
export { restarted } from './method/rule/restarted.ts';
export type { Method } from './method/rule/updateRule.ts';
export type { UpdateRule } from './method/rule/updateRule.ts';
export { everywhere } from './method/constraint/everywhere.ts';
export { l2Ball } from './method/constraint/l2Ball.ts';
export { l1Ball } from './method/constraint/l1Ball.ts';
export { box } from './method/constraint/box.ts';
export { allButLast } from './method/constraint/allButLast.ts';
export type { Constraint } from './method/constraint/constraint.ts';

// Gradients: kernels, aggregators, the estimator for contaminated rows
export { type BlockRequest, type BlockSummer, blockSummer } from './engine/kernel/blockSummer.ts';
export { fastSummer } from './engine/kernel/wasmSummer.ts';
export { type IntegerRequest, integerSummer, type Quantization } from './engine/kernel/integerSummer.ts';
export { type MomentRequest, momentSummer } from './engine/kernel/momentSummer.ts';
export { type CurvatureRequest, curvatureSummer } from './engine/kernel/curvatureSummer.ts';
export { fastIntegerSummer } from './engine/kernel/wasmSummer.ts';
export { type EngineOptions, type LocalEngine, localEngine } from './engine/local/localEngine.ts';
export { type Points, rowGradients } from './engine/kernel/rowGradients.ts';
export { type HuberOptions, huberEstimator } from './engine/kernel/huberEstimator.ts';
export { mean as meanAggregator } from './method/aggregate/mean.ts';
export { geometricMedian as medianAggregator, medianOfPoints } from './method/aggregate/geometricMedian.ts';
export { blockCount, blockLayout, medianOfMeansLayout } from './method/aggregate/blockCount.ts';
export type { Aggregator } from './method/aggregate/aggregator.ts';
export type { BlockSums, Gradient, Privacy } from './sample/blockSums.ts';

// Privacy: what noise a guarantee needs, and what a run has spent
export { delta, epsilonFor, logDelta, muFor, zeroConcentrated } from './privacy/gaussianDp.ts';
export { type Budget, gaussianNoise, meanSensitivity } from './privacy/gaussianNoise.ts';
export { type IntegerNoise, integerNoise } from './privacy/integerNoise.ts';
export { integerRelease } from './privacy/integerNoise.ts';
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
export { recorded } from './privacy/mechanism.ts';

// Audits: whether a private pipeline does what it declares
export { type AuditOptions, auditPrivate } from './lab/audit/auditPrivate.ts';
export type { AuditReport } from './lab/audit/auditPrivate.ts';
export type { Breach } from './lab/audit/breach.ts';
export { privatePipeline } from './lab/audit/privatePipeline.ts';
export type { Pipeline } from './lab/audit/observe.ts';
export { smallPlan } from './lab/audit/smallPlan.ts';

// Randomness, and the paper's synthetic data
export { secure } from './math/random/secure.ts';
export { seeded } from './math/random/seeded.ts';
export { type Random, rademacher, uniform } from './math/random/random.ts';
export { normal } from './math/random/normal.ts';
export { discreteGaussian } from './math/random/discreteGaussian.ts';
export { studentT } from './math/random/studentT.ts';
export { truncatedNormal } from './math/random/truncatedNormal.ts';
export { permutation } from './math/random/permutation.ts';
export * as synthetic from './lab/synthetic/figures.ts';
export { contaminate, type Outliers } from './lab/synthetic/contaminate.ts';
export { lowerBoundData } from './lab/synthetic/lowerBoundData.ts';
export { logisticSphere } from './lab/synthetic/logisticSphere.ts';

// The paper's figures: runs, tables, verdicts and pictures
export type { Figure, Reading, FigureStudy } from './lab/paper/figure.ts';
export type { Point } from './lab/paper/point.ts';
export { figureByName, figures } from './lab/paper/figures.ts';
export { figureWork, iteratesOf, runFigure } from './lab/paper/runFigure.ts';
export type { Exhibit } from './lab/paper/exhibit.ts';
export { exhibitByName, exhibits } from './lab/paper/exhibits.ts';
export { leastGradient } from './lab/paper/lowerBound.ts';
export { runTasks } from './lab/paper/crew.ts';
export type { FigureTask } from './lab/paper/figureTask.ts';
export { type FigureCell, figureCells } from './lab/paper/figureCells.ts';
export { cellTable } from './lab/paper/figureCells.ts';
export { logisticExcess, squaredExcess } from './lab/paper/excessRisk.ts';
export { type Claim, type Judgement, judge, type Verdict } from './lab/paper/verdict.ts';
export { type FigureReport, figureReport } from './lab/paper/figureReport.ts';
export { gallery, won } from './lab/paper/gallery.ts';
export { codeVersion } from './lab/paper/codeVersion.ts';
export { type Chart, chartPng, chartSvg } from './sink/page/chart.ts';

// Models, files, vectors, and what every function above throws for an argument it cannot use
export { MODEL_FORMAT, MODEL_VERSION, type Model, parseModel, type Uncertainty } from './model/model.ts';
export { type EstimatedRows, estimateModel } from './fit/estimateModel.ts';
export { type PrivateRows, privateFitModel } from './fit/private/privateFitModel.ts';
export { type ModelAccount, modelRecord } from './fit/modelRecord.ts';
export { namedUncertainty } from './fit/namedUncertainty.ts';
export { type ModelDesign, modelDesign } from './model/modelDesign.ts';
export { referenceLevels } from './fit/estimateModel.ts';
export { type UnknownLevels, unknownLevelLines, unknownLevels } from './model/unknownLevels.ts';
export { scorer } from './model/scorer.ts';
export { type Evaluation, evaluateRows } from './model/evaluation.ts';
export { claimText } from './sink/page/theoremTable.ts';
export { setText } from './sink/page/planFacts.ts';
export { type BatchFormat, streamBatches, writeBatches } from './sink/table/writeBatches.ts';
export { htmlReport } from './sink/page/htmlReport.ts';
export {
  holdsMetadata,
  openPredictionSink,
  type PredictionSink,
  requireTableFile,
  type SinkOptions,
} from './sink/table/openPredictionSink.ts';
export { columnsToIPC } from './sink/table/columnsToIPC.ts';
export { placeOf } from './files.ts';
export { requireWritable, whileUnfinished, writeWhole } from './files.ts';
export { type Inspection, inspectTable } from './source/inspect/inspection.ts';
export { type Cholesky, cholesky } from './math/cholesky.ts';
export { addScaled, distance, dot, filled, norm, type Vector, zeros } from './math/vector.ts';
export { listed } from './words.ts';
export { counted } from './words.ts';
export { toDigits } from './words.ts';
export { roundedDown } from './math/roundedDown.ts';
export { studentTail } from './math/studentTail.ts';
export { ArgumentError } from './errors.ts';
export { version } from './version.ts';
