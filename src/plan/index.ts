/**
 * Every parameter of a run before it begins: layouts of rows, schedules, scaling, private plans.
 *
 * @module sluice/plan
 */

// Which rows do what
export { layoutRows, cellsOf, type Layout, type LayoutOptions } from './layout.ts';
export { uniformChunks, geometricChunks, type Schedule } from './schedule.ts';
export type { FitOptions, Aggregate } from './planFit.ts';
export type { StepPlan } from './plan.ts';

// Bounds, and rows scaled by them
export {
  scalingOf,
  unscale,
  type Interval,
  type FeatureInterval,
  type FeatureBounds,
  type Scaling,
  type ScalingOptions,
} from '../sample/transform/scaling.ts';

// Private plans, and the error to expect of them
export { planPrivate, type PrivatePlan, type PrivatePrediction } from './private/planPrivate.ts';
export { predictError, type PredictedError } from './private/predictError.ts';
export { isSquaredWithin, isPoissonWithin } from './private/boundedLoss.ts';
export type { PrivateOptions, MomentPlan, CurvaturePlan } from './private/privateApproach.ts';
export type { Calibration, PrivacyTarget } from './plan.ts';

// Private streams
export {
  planPrivateOnline,
  type PrivateOnlineFigures,
  type PrivateOnlineOptions,
  type PrivateOnlinePlan,
} from './online/planPrivateOnline.ts';
