import { distance, filled, type Vector } from '../../../math/vector.ts';
import { logistic } from '../../../method/loss/logistic.ts';
import type { Loss } from '../../../method/loss/loss.ts';
import { squared } from '../../../method/loss/squared.ts';
import { ermGlmUp, ermGlmUpGeneral, iterRateIncC } from '../../../plan/theorem/glmProblem.ts';
import type { Prescription } from '../../../plan/theorem/prescription.ts';
import { htRidgeSingular, htRidgeWellConditioned } from '../../../plan/theorem/spectrum.ts';
import type { SampleBatch } from '../../../sample/sampleBatch.ts';
import * as synthetic from '../../synthetic/figures.ts';
import { logisticSphere } from '../../synthetic/logisticSphere.ts';
import type { SyntheticSample } from '../../synthetic/syntheticSample.ts';
import { logisticExcess } from './excessRisk.ts';
import { logisticModel } from './logisticModel.ts';

const failureProbability = 1 / 5;
const [epsilon, delta] = [0.9, 1 / 3];

/** Of the fixed ball: ||theta*|| - D ~ 1. */
const radius = 1 / 10;
const glm = () => ({ ...logisticModel({ truthNorm: Math.SQRT2, smallestEigenvalue: 1 / 2 }), epsilon, delta });

const rank = 3;
/** The components along the axes in which the rows vary. */
const seen = (theta: Vector): Vector => theta.subarray(0, rank);

export interface TheoremSetting {
  readonly sample: (rows: number, seed: number) => SyntheticSample;
  readonly loss: () => Loss;
  readonly prescribed: (rows: number) => Prescription;
  /** What the theorem bounds. */
  readonly error: (theta: Vector, data: SampleBatch, truth: Vector) => number;
  /** The bound up to a constant, with its logarithms. */
  readonly bound: (rows: number, given: Prescription) => number;
}

/**
 * Rows on which five theorems can be run as they prescribe at n from 8,000 on, what they bound there, and the bounds.
 *
 *   Iter_Rate_Inc_C                  logistic rows on the unit circle, where its ball has D > 0 from n = 7,800 on;
 *                                    eps = 0.9, delta = 1/3
 *   ERM_GLM_UP, ERM_GLM_UP_General   the same rows, a ball that does not grow
 *   HT_Ridge_min>0                   the rows of plot7
 *   HT_Ridge_min=0                   the rows of plot6 with rank 3
 */
export const theoremSettings: Readonly<Record<string, TheoremSetting>> = {
  Iter_Rate_Inc_C: {
    sample: logisticSphere,
    loss: logistic,
    prescribed: rows => iterRateIncC({ ...glm(), rows, failureProbability }),
    error: (theta, _, truth) => distance(theta, truth),
    bound: n =>
      Math.log(n) / Math.sqrt(n) +
      (Math.sqrt(Math.log(n / delta)) * (Math.log(n) * Math.log(n / failureProbability)) ** (1 / 4)) /
        (n ** (2 / 5) * Math.sqrt(epsilon)),
  },
  ERM_GLM_UP: {
    sample: logisticSphere,
    loss: logistic,
    prescribed: rows => ermGlmUp({ ...glm(), rows, radius }),
    error: (theta, data) => logisticExcess(data, radius)(theta),
    bound: n => (Math.log(Math.log(n) / delta) * Math.sqrt(Math.log(n) * Math.log(n * Math.log(n)))) / (n * epsilon),
  },
  ERM_GLM_UP_General: {
    sample: logisticSphere,
    loss: logistic,
    prescribed: rows => ermGlmUpGeneral({ ...glm(), rows, radius, failureProbability }),
    error: (theta, data) => logisticExcess(data, radius)(theta),
    bound: (n, { steps: T, contraction, stepSize }) =>
      1 / n +
      (Number(stepSize) * Math.log(T / delta) * Math.sqrt(T * Math.log(T / failureProbability))) /
        ((1 - contraction!) * n * epsilon),
  },
  'HT_Ridge_min>0': {
    sample: synthetic.plot7,
    loss: squared,
    prescribed: rows =>
      htRidgeWellConditioned({
        ...{ rows, failureProbability },
        eigenvalues: filled(10, 1),
        truth: filled(10, 1),
      }),
    error: (theta, _, truth) => distance(theta, truth),
    bound: n => Math.sqrt((Math.log(n) * Math.log(Math.log(n) / failureProbability)) / n),
  },
  'HT_Ridge_min=0': {
    sample: (rows, seed) => synthetic.plot6(rows, seed, { rank }),
    loss: squared,
    prescribed: rows =>
      htRidgeSingular({
        ...{ rows, failureProbability },
        eigenvalues: filled(10, 0).fill(1, 0, rank),
        truth: filled(10, 1 / Math.sqrt(10)),
        // gamma ~ n^(-1/5): with a constant of 2 there are enough rows for the condition on n~; with a constant of 1
        // only from n = 440,000 on.
        penalty: 2 * rows ** (-1 / 5),
      }),
    error: (theta, _, truth) => distance(seen(theta), seen(truth)),
    bound: n => Math.sqrt(Math.log(n) * Math.log(n / failureProbability)) / n ** (1 / 5),
  },
};
