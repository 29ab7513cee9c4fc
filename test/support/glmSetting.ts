import { logistic } from '../../src/method/loss/logistic.ts';

/**
 * The setting of figure plot2: logistic regression, p = 3, theta* = (1, 1, 1), x_j ~ U[-1/sqrt(p), 1/sqrt(p)].
 */
const root = Math.sqrt(3);

/** Phi''(L_x ||theta*||) = Phi''(sqrt 3) */
export const varianceAtTruth = Math.exp(-root) / (1 + Math.exp(-root)) ** 2;

export const glmSetting = {
  loss: logistic(),
  targetBound: 1,
  featureNorm: 1,
  truthNorm: root,
  smallestEigenvalue: 1 / 9,
  epsilon: 0.9,
  delta: 1 / 3,
};

/** The noise of alg:PrivFWERM with L2 = 2, delta = 1/3, by hand. */
export const glmNoise = (rows: number, steps: number, epsilon = 0.9): number =>
  Math.sqrt((64 * 2 ** 2 * steps * Math.log((5 * steps * 3) / 2) * Math.log(6)) / (rows ** 2 * epsilon ** 2));
