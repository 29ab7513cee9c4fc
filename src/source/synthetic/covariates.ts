import { requireLength, requireNonNegative, requirePositive, requireVector } from '../../math/check.ts';
import type { Vector } from '../../math/vector.ts';
import { normal } from '../../random/normal.ts';
import { type Random, uniformBetween } from '../../random/random.ts';

/** Draws the features of one row: writes every coordinate of `row`. */
export type Covariates = (random: Random, row: Vector) => void;

/** x_j ~ U[-halfWidth, halfWidth], independent. */
export function uniformCube(halfWidth: number): Covariates {
  requirePositive('halfWidth', halfWidth);
  return (random, row) => {
    for (let j = 0; j < row.length; j++) row[j] = uniformBetween(random, -halfWidth, halfWidth);
  };
}

/** x ~ N(0, diag(variances)); a coordinate of variance 0 is 0 and uses up no words. */
export function diagonalNormal(variances: Vector): Covariates {
  requireVector('variances', variances).forEach((variance, j) => {
    requireNonNegative(`variances[${j}]`, variance);
  });
  const deviations = variances.map(Math.sqrt);
  return (random, row) => {
    requireLength('row', row, deviations.length);
    for (let j = 0; j < row.length; j++) row[j] = deviations[j] === 0 ? 0 : deviations[j]! * normal(random);
  };
}
