/** The paper's lemmas and general statements that prescribe no run: bounds and constants as functions of numbers. */
export {
  type GradientError,
  gradientCovariance,
  huberGradientError,
  linearGradientError,
  medianOfMeansError,
  privateGradientError,
  ridgeGradientError,
} from './estimators.ts';
export { glmCurvature, gradientRatioModel, pseudoHuberCurvature, type RiskCurvature } from './models.ts';
export {
  acceleratedExcess,
  frankWolfeExcess,
  inexactGradientExcess,
  inexactNesterovExcess,
  nesterovLag,
} from './optimization.ts';
export { composedEpsilon } from './privacy.ts';
export {
  type DescentBound,
  type EstimatedGradient,
  stableGradientDescent,
  stableNesterov,
} from './stableDescent.ts';
