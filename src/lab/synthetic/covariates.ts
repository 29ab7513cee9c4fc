import { requireInteger, requireLength, requireNonNegative, requirePositive, requireVector } from '../../errors.ts';
import { normal } from '../../math/random/normal.ts';
import { type Random, rademacher, uniform } from '../../math/random/random.ts';
import { norm, type Vector } from '../../math/vector.ts';
import type { ColumnStream } from './columnDraws.ts';

/** Draws the features: writes every column, from streams that `begin` returns one after another. */
export type Covariates = (begin: () => ColumnStream, columns: readonly Vector[]) => void;

/** x_j ~ U[-halfWidth, halfWidth], independent. */
export function uniformCube(halfWidth: number): Covariates {
  requirePositive('halfWidth', halfWidth);
  return (begin, columns) => {
    for (const column of columns) begin().uniform(column, -halfWidth, halfWidth);
  };
}

/** x ~ N(0, diag(variances)); a coordinate with variance 0 is 0 and starts no stream. */
export function diagonalNormal(variances: Vector): Covariates {
  requireVector('variances', variances).forEach((variance, j) => {
    requireNonNegative(`variances[${j}]`, variance);
  });
  const deviations = variances.map(Math.sqrt);
  return (begin, columns) => {
    requireLength('columns', columns, deviations.length);
    columns.forEach((column, j) => {
      if (deviations[j] === 0) column.fill(0);
      else begin().normal(column, deviations[j]!);
    });
  };
}

/** Rows with dependent coordinates: `draw` writes one row after another. */
export function rowByRow(draw: (random: Random, row: Vector) => void): Covariates {
  return (begin, columns) => {
    const random = begin();
    const row = new Float64Array(columns.length);
    for (let i = 0; i < columns[0]!.length; i++) {
      draw(random, row);
      columns.forEach((column, j) => {
        column[i] = row[j]!;
      });
    }
  };
}

/** x uniform on the unit sphere: Sigma = I/p, the largest lambda_min of any distribution with ||x|| <= 1. */
export const unitSphere = (): Covariates =>
  rowByRow((random, row) => {
    for (let j = 0; j < row.length; j++) row[j] = normal(random);
    const length = norm(row);
    for (let j = 0; j < row.length; j++) row[j]! /= length;
  });

/**
 * Figure plot1: x ~ U[-1, 1]^p given the margin |x.v*| >= sqrt(p)/2, v* = (1, ..., 1)/sqrt(p).
 *
 * Plain rejection keeps 1 draw in 202 at p = 10, and exponentially fewer as p grows. Instead, choose the side of
 * the margin first; on the positive one, with e_j = 1 - x_j, it reads e_1 + ... + e_p <= p/2. Draw e_j with density
 * proportional to exp(-lambda e) on [0, 2], whose mean is 1/2 where coth(lambda) - 1/lambda = 1/2, and keep the row
 * with probability exp(lambda (e_1 + ... + e_p - p/2)), which undoes the tilt exactly. That keeps 1 in 7 at p = 10,
 * and decreases only like 1/sqrt(p).
 *
 *   lambda -> TILT, e_1 + ... + e_p -> spent, p/2 -> budget
 */
const TILT = 1.796755984723713;
const LOST = Math.expm1(-2 * TILT);

export function separatedCube(random: Random, row: Vector): void {
  const side = rademacher(random);
  const budget = row.length / 2;
  for (;;) {
    let spent = 0;
    for (let j = 0; j < row.length && spent <= budget; j++) {
      const e = Math.min(2, -Math.log1p(uniform(random) * LOST) / TILT);
      row[j] = side * (1 - e);
      spent += e;
    }
    if (spent <= budget && uniform(random) < Math.exp(TILT * (spent - budget))) return;
  }
}

/** Replaces the scores x.theta* of all rows by random targets. */
export type Response = (stream: ColumnStream, scores: Vector) => void;

/** y = x.theta* + w, w ~ t(degrees). */
export function heavyTailedResponse(degrees: number): Response {
  requireInteger('degrees', degrees, 1);
  return (stream, scores) => stream.addStudentT(scores, degrees);
}

/** y = 1 with probability 1 / (1 + exp(-x.theta*)), otherwise 0. */
export const logisticResponse: Response = (stream, scores) => {
  for (let i = 0; i < scores.length; i++) {
    scores[i] = uniform(stream) < 1 / (1 + Math.exp(-scores[i]!)) ? 1 : 0;
  }
};

/** y = sgn(x.theta*). */
export const signResponse: Response = (_stream, scores) => {
  for (let i = 0; i < scores.length; i++) scores[i] = Math.sign(scores[i]!);
};
