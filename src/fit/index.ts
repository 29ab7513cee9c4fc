/**
 * The parts of `estimate` and `estimatePrivately`, to be put together differently: the pilot, the run, its intervals
 * and notes, the model.
 *
 * @module sluice/fit
 */

// The calls: their options and results
export { estimateByTheorem, type TheoremRun } from './estimateByTheorem.ts';
export { planEstimate, type CoefficientSet } from './estimate.ts';
export { openForModel } from './openForModel.ts';
export { evaluateRows } from '../model/evaluation.ts';
export { predictTable, type PredictTableOptions } from './remote/predictTable.ts';
export { removeCheckpoint } from './checkpoint.ts';
export type { CallOptions, Progress } from './call.ts';
export type { LedgerEntry } from './private/estimatePrivately.ts';
export type { Note, Covariance } from './result.ts';
export type { PredictOptions, PredictionAccount } from './predict.ts';
export type { EvaluateOptions, SourceEvaluation } from './evaluate.ts';
export type { FitQuality } from '../inference/fittedRun.ts';

// The pilot
export { studyPilot, type Pilot, type PilotOptions } from '../inference/pilot/studyPilot.ts';

// The run
export { fitRows, type FitRowsOptions } from './fitRows.ts';
export { fitSamples, type FitSettings, type HeldOut } from './fitSamples.ts';
export { fitPlan, type PlanRun } from './fitPlan.ts';
export type { RowOrder } from './input/withChunks.ts';
export type { FittedRun } from '../inference/fittedRun.ts';

// The private run
export {
  privateRequest,
  declaredFeatures,
  privateWarnings,
  type PrivateRequest,
  type PrivateRequestOptions,
} from './private/privateRequest.ts';
export { theoremRequest } from './private/theoremRequest.ts';
export { fitPrivate, requirePrivateScratch, type PrivateRun } from './private/fitPrivate.ts';
export { releaseMoments, type ReleasedMoments } from './private/releases.ts';
export { releaseCurvature } from './private/releases.ts';
export type { PrivateFit } from '../inference/fittedRun.ts';

// Intervals and notes
export { explainEstimate } from '../inference/diagnostics/explainEstimate.ts';
export {
  explainPrivate,
  privatePenaltyNotes,
  type ExplainPrivateOptions,
  type AskedOfPlanner,
} from '../inference/diagnostics/explainPrivate.ts';
export { explainLevels } from '../inference/diagnostics/columns/levels.ts';
export {
  privateUncertainty,
  type PrivateUncertainty,
  type Released,
} from '../inference/intervals/private/privateUncertainty.ts';
export {
  riskAxes,
  type ReleasedCurvature,
  type RiskAxis,
  type Bend,
} from '../inference/intervals/private/riskAxes.ts';
export { studentTail } from '../math/studentTail.ts';
export type { Explanation, ExplainOptions } from '../inference/diagnostics/notes.ts';
export type { FitUncertainty } from '../inference/intervals/uncertaintyOf.ts';

// The model
export { estimateModel, referenceLevels, type EstimatedRows } from './estimateModel.ts';
export { privateFitModel, momentAccount, type PrivateRows } from './private/privateFitModel.ts';
export { modelRecord, type ModelAccount } from './modelRecord.ts';
export { modelDesign, type ModelDesign } from '../model/modelDesign.ts';
export { scorer } from '../model/scorer.ts';
export { unknownLevels, unknownLevelLines, type UnknownLevels } from '../model/unknownLevels.ts';
export { MODEL_FORMAT, MODEL_VERSION, type Uncertainty } from '../model/model.ts';

// Estimates of streams
export { liveView, viewOutput } from './online/liveView.ts';
