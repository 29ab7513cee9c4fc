import { seeded } from '../../math/random/seeded.ts';
import { filled } from '../../math/vector.ts';
import { logisticResponse, unitSphere } from './covariates.ts';
import { type SyntheticSample, syntheticSample } from './syntheticSample.ts';

/**
 * Logistic rows as in figure plot2, theta* = (1, ..., 1), but with x uniform on the unit sphere. Theorems about GLMs
 * require a number of rows that grows with powers of 1/(Phi''(L_x ||theta*||) lambda_min): here lambda_min is as large
 * as L_x = 1 allows, and it is larger for p = 2 features than for more.
 */
export const logisticSphere = (
  rows: number,
  seed: number | string,
  { features = 2 }: { features?: number } = {},
): SyntheticSample =>
  syntheticSample({
    rows,
    truth: filled(features, 1),
    covariates: unitSphere(),
    response: logisticResponse,
    random: seeded(seed, 'logistic sphere'),
  });
