import { logistic } from '../../../method/loss/logistic.ts';

/** The arguments of theorems about GLMs for logistic rows with ||x|| <= 1: loss, K_y, L_x, lambda_min(Sigma) and ||theta*||. */
export const logisticModel = (given: { readonly truthNorm: number; readonly smallestEigenvalue: number }) => ({
  loss: logistic(),
  targetBound: 1,
  featureNorm: 1,
  ...given,
});
