/**
 * `sluice/plan`: every parameter of a run before it begins: layouts of rows, schedules, scaling, private plans.
 *
 * @module
 */

// Bounds, and features scaled by them
export {
  type FeatureBounds,
  type FeatureInterval,
  type Interval,
  type Scaling,
  type ScalingOptions,
  scalingOf,
  unscale,
} from '../sample/transform/scaling.ts';
// How rows are laid out in steps and blocks
export { cellsOf, type Layout, type LayoutOptions, layoutRows } from './layout.ts';
export type { Calibration, PrivacyTarget, StepPlan } from './plan.ts';
export type { Aggregate, FitOptions } from './planFit.ts';
// Private plans, and the error to expect of them
export { isPoissonWithin, isSquaredWithin } from './private/boundedLoss.ts';
export {
  type CurvaturePlan,
  type MomentPlan,
  type PrivateOptions,
  type PrivatePlan,
  type PrivatePrediction,
  planPrivate,
} from './private/planPrivate.ts';
export { type PredictedError, predictError } from './private/predictError.ts';
export { geometricChunks, type Schedule, uniformChunks } from './schedule.ts';
