import { requireInteger } from '../../errors.ts';
import type { Random } from '../../math/random/random.ts';
import { seeded } from '../../math/random/seeded.ts';
import { filled, type Vector } from '../../math/vector.ts';
import {
  diagonalNormal,
  heavyTailedResponse,
  logisticResponse,
  rowByRow,
  separatedCube,
  signResponse,
  uniformCube,
} from './covariates.ts';
import { type SyntheticSample, syntheticSample } from './syntheticSample.ts';

/**
 * "Simulation Details": the data of the seven figures. The rows for a larger n start with those for a smaller one.
 *
 *   plot1            y = sgn(x.v*), x in [-1, 1]^p with margin sqrt(p)/2, v* = (1, ..., 1)/sqrt(p)
 *   plot2            logistic, x_j ~ U[-1/sqrt(p), 1/sqrt(p)], theta* = (1, ..., 1)
 *   plot3            y = x.theta* + w, w ~ t(3), x and theta* as in plot2
 *   plot4, plot5     the same with x ~ N(0, diag(2/3, ..., 1))
 *   plot6            the same with x ~ N(0, diag(1 m times, 0, ..., 0)), theta* = (1, ..., 1)/sqrt(p)
 *   plot7            the same with x ~ N(0, I), theta* = (1, ..., 1); the paper's plot_l_bigger_0
 *
 *   n -> rows, p -> features, m -> rank, theta* and v* -> truth
 */
type Figure<Options> = (rows: number, seed: number | string, options?: Options & Place) => SyntheticSample;

type Place = Pick<Parameters<typeof syntheticSample>[0], 'arena'>;

export const plot1: Figure<{ features?: number }> = (rows, seed, { features = 10, arena } = {}) =>
  syntheticSample({
    rows,
    truth: constant(features, 1 / Math.sqrt(features)),
    covariates: rowByRow(separatedCube),
    response: signResponse,
    random: seeded(seed, 'plot1'),
    arena,
  });

export const plot2: Figure<{ features?: number }> = (rows, seed, { features = 3, arena } = {}) =>
  syntheticSample({
    rows,
    truth: constant(features, 1),
    covariates: uniformCube(1 / Math.sqrt(features)),
    response: logisticResponse,
    random: seeded(seed, 'plot2'),
    arena,
  });

export const plot3: Figure<{ features?: number }> = (rows, seed, { features = 10, arena } = {}) =>
  syntheticSample({
    rows,
    truth: constant(features, 1),
    covariates: uniformCube(1 / Math.sqrt(features)),
    response: heavyTailedResponse(3),
    random: seeded(seed, 'plot3'),
    arena,
  });

export const plot4: Figure<{ features?: number }> = (rows, seed, { features = 100, arena } = {}) =>
  gaussianSample(rows, spread(features), constant(features, 1), seeded(seed, 'plot4'), arena);

export const plot5: Figure<{ features?: number }> = (rows, seed, { features = 100, arena } = {}) =>
  gaussianSample(rows, spread(features), constant(features, 1), seeded(seed, 'plot5'), arena);

export const plot6: Figure<{ features?: number; rank?: number }> = (
  rows,
  seed,
  { features = 10, rank = 3, arena } = {},
) => {
  const truth = constant(features, 1 / Math.sqrt(features));
  const variances = filled(features, 0).fill(1, 0, requireInteger('rank', rank, 1, features));
  return gaussianSample(rows, variances, truth, seeded(seed, `plot6, rank ${rank}`), arena);
};

export const plot7: Figure<{ features?: number }> = (rows, seed, { features = 10, arena } = {}) =>
  gaussianSample(rows, constant(features, 1), constant(features, 1), seeded(seed, 'plot7'), arena);

const gaussianSample = (
  rows: number,
  variances: Vector,
  truth: Vector,
  random: Random,
  arena: Place['arena'],
): SyntheticSample =>
  syntheticSample({
    rows,
    truth,
    covariates: diagonalNormal(variances),
    response: heavyTailedResponse(3),
    random,
    arena,
  });

const constant = (features: number, value: number): Vector => filled(requireInteger('features', features, 1), value);

/** tau_l = 2/3 and tau_u = 1, and evenly spaced variances between them. */
const spread = (features: number): Vector =>
  constant(requireInteger('features', features, 2), 2 / 3).map(
    (least, j) => least + ((1 - least) * j) / (features - 1),
  );
