/**
 * `sluice/fit`: the parts of `estimate` and `estimatePrivately`, to be put together differently: the pilot, the run, its
 * intervals and notes, the model.
 *
 * @module
 */

// Intervals and notes
export { explainEstimate } from '../inference/diagnostics/explainEstimate.ts';
export { explainLevels } from '../inference/diagnostics/columns/levels.ts';
export {
  type AskedOfPlanner,
  type ExplainPrivateOptions,
  explainPrivate,
} from '../inference/diagnostics/explainPrivate.ts';
export type { ExplainOptions, Explanation } from '../inference/diagnostics/notes.ts';
export type { FittedRun, PrivateFit } from '../inference/fittedRun.ts';
export {
  type PrivateUncertainty,
  privateUncertainty,
  type Released,
} from '../inference/intervals/private/privateUncertainty.ts';
export {
  type Bend,
  type ReleasedCurvature,
  type RiskAxis,
  riskAxes,
} from '../inference/intervals/private/riskAxes.ts';
export type { FitUncertainty } from '../inference/intervals/uncertaintyOf.ts';
// The pilot
export type { Pilot } from '../inference/pilot/studyPilot.ts';
export { type PilotOptions, studyPilot } from '../inference/pilot/studyPilot.ts';
export { MODEL_FORMAT, MODEL_VERSION, type Uncertainty } from '../model/model.ts';
export { type ModelDesign, modelDesign } from '../model/modelDesign.ts';
export { scorer } from '../model/scorer.ts';
export { type UnknownLevels, unknownLevelLines, unknownLevels } from '../model/unknownLevels.ts';
// The run
export { type FitRowsOptions, fitRows, readsOnce } from './fitRows.ts';
export {
  declaredFeatures,
  type PrivateRequest,
  type PrivateRequestOptions,
  privateRequest,
  privateWarnings,
} from './private/privateRequest.ts';
export { theoremRequest } from './private/theoremRequest.ts';
export { evaluateRows } from '../model/evaluation.ts';
// The model
export { type EstimatedRows, estimateModel, referenceLevels } from './estimateModel.ts';
export { fitPlan, type PlanRun } from './fitPlan.ts';
export { type FitSettings, fitSamples, type HeldOut } from './fitSamples.ts';
export type { RowOrder } from './input/withChunks.ts';
export { type ModelAccount, modelRecord } from './modelRecord.ts';
export { fitPrivate, type PrivateRun, requirePrivateScratch } from './private/fitPrivate.ts';
export { momentAccount, type PrivateRows, privateFitModel } from './private/privateFitModel.ts';
export { releaseCurvature } from './private/releaseCurvature.ts';
export { type ReleasedMoments, releaseMoments } from './private/whitenRows.ts';
