/**
 * Replaces a redescending loss where noise differs so much between rows that the loss determines some direction poorly.
 *
 * One scale decides which rows are rejected. If noise differs between rows, it is the scale of most of them, and a good
 * part of a group with several times the noise is rejected: what only these rows determine, such as the effect of the
 * group, becomes uncertain. The mean over all directions (chooseTuning.ts) does not show that; single directions do.
 * The loss has the curvatures
 *
 *   H = mean of w psi' x x',   W = mean of w psi/r x x',
 *
 * and H is the same share of W along all directions if noise is independent of the features, whatever its distribution,
 * and a smaller share along those of a noisy group. Where it is much smaller along any, pseudo-Huber's loss, which
 * rejects no row, is compared with the chosen one by the expected squared error of the slopes over n rows, direction by
 * direction:
 *
 *   bias^2 + tr M C/n,   C = H^-1 V H^-1,   V = mean of (w psi)^2 x x'
 *   bias^2 = |m|^2 - (1 + 2 sqrt 2) tr M D/N, or 0,   m = M^1/2 H^-1 g,   D = the same as C of H^-1 psi - H_0^-1 psi_0
 *
 *   M -> moments of the features by leverage, g -> mean of w psi x over the N rows here, _0 -> of the most robust loss
 *
 * The bias counts along directions that the most robust loss determines, so that outliers are still rejected. Along the
 * others there is nothing to compare an estimate with.
 */
import { lossByName } from '../loss/lossByName.ts';
import { HUBER_TUNING } from '../loss/tunings.ts';
import { rankFactor } from '../math/rankFactor.ts';
import { symmetricEigen } from '../math/symmetricEigen.ts';
import { times } from '../math/times.ts';
import { dot, unitAlong, type Vector, zeros } from '../math/vector.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import { mostRobustLoss, type Tuning } from './chooseTuning.ts';
import { curvatureFactor, solveBy } from './curvatureFactor.ts';
import {
  type EquationOptions,
  type EstimatingEquation,
  estimatingEquations,
  whitened,
} from './estimatingEquations.ts';

/** `t` is the most robust estimate. */
export interface UnequalNoiseOptions extends EquationOptions {
  readonly scale: number;
  /** n */
  readonly rows: number;
}

/** `chosen`, or a safer one where that is clearly better. */
export function tuneForUnequalNoise(
  batch: SampleBatch,
  chosen: Tuning,
  options: UnequalNoiseOptions,
): Tuning {
  const { scale, leverage, intercept, t } = options;
  const rank = leverage.factor.kept.length;
  // So few rows can be fitted without showing how the loss curves along one direction or another.
  if (batch.rows < ROWS_PER_DIRECTION * rank) return chosen;
  const at = estimatingEquations(batch, options);
  const curves = (view: EstimatingEquation, share: number): boolean =>
    curvatureFactor(view.curvatureAbove(share), t.length, intercept).kept.length === rank;
  const own = at(chosen);
  if (curves(own, EVEN)) return chosen;

  const robust: Tuning = { loss: mostRobustLoss(scale), isWeighted: true };
  const reference = at(robust);
  const above = whitened(reference.curvatureAbove(SOUND), leverage);
  // Where the most robust loss rejects every row, there is nothing to compare others with.
  if (!above.every(Number.isFinite)) return chosen;
  const sound = soundDirections(above, rank);
  const errorOf = promised(reference, sound, options, batch.rows);
  // If the most robust loss determines all directions, high-leverage rows made the chosen one flat, and weights are
  // enough.
  const safe =
    sound.length === rank
      ? [{ ...chosen, isWeighted: true }, robust]
      : SAFE.flatMap(scales => {
          const loss = lossByName('pseudo-huber', { parameter: scales * scale });
          return [false, true].map(isWeighted => ({ loss, isWeighted }));
        });
  const errors = safe.map(tuning => errorOf(at(tuning)));
  const best = errors.indexOf(Math.min(...errors));
  // A minimum with little curvature is one of several, found because its sample curvature happens to be too large: its
  // expected error cannot be trusted.
  const least = (curves(own, FLAT) ? CLEARLY : DOUBTFUL) * errorOf(own);
  return errors[best]! < least ? safe[best]! : chosen;
}

const ROWS_PER_DIRECTION = 10;
/** As a share of what the loss has over all rows together; the rest up to 1 allows for chance. */
const EVEN = 0.7;
/** With less, other estimates are not compared with this one along the direction. */
const SOUND = 0.6;
/** With less, its estimate is one of several minima. */
const FLAT = 0.48;
/** In residual scales: the second costs almost nothing under normal noise. */
const SAFE = [HUBER_TUNING, 4];
/** Of the expected error: chance makes no such difference. */
const CLEARLY = 0.87;
const DOUBTFUL = 10;

/** Orthonormal directions along which the matrix is positive. */
const soundDirections = (matrix: Float64Array, size: number): readonly Vector[] =>
  symmetricEigen(matrix, size).flatMap(({ value, vector }) => (value > 0 ? [vector] : []));

/** The expected squared error of a loss, in coordinates in which M is the identity. */
function promised(
  robust: EstimatingEquation,
  sound: readonly Vector[],
  { leverage, intercept, rows }: UnequalNoiseOptions,
  count: number,
): (view: EstimatingEquation) => number {
  const rank = leverage.factor.kept.length;
  const white = (matrix: Float64Array): Float64Array => whitened(matrix, leverage);
  // The most robust loss, over the directions that it determines: rows of S (S'H_0 S)^-1 S'.
  const curvature = white(robust.curvature);
  const images = sound.map(direction => times(curvature, direction));
  const inner = Float64Array.from(sound.flatMap(a => images.map(image => dot(a, image))));
  const innerFactor = rankFactor(inner, sound.length);
  const robustRows = sound.map((_, k) => combined(sound, solveBy(innerFactor, unitAlong(k, sound.length))));
  const robustOwn = white(robust.crossMoments(robust.influence));
  const first = intercept ? 1 : 0;

  return view => {
    const factor = rankFactor(white(view.curvature), rank);
    if (factor.kept.length < rank) return Infinity;
    const own = white(view.crossMoments(view.influence));
    const mixed = white(view.crossMoments(robust.influence));
    let variance = 0;
    for (let k = first; k < rank; k++) {
      const row = solveBy(factor, unitAlong(k, rank));
      variance += dot(row, times(own, row));
    }
    const moved = solveBy(factor, leverage.factor.solveFactor(view.gradient));
    let [movement, difference] = [0, 0];
    sound.forEach((direction, k) => {
      const row = solveBy(factor, direction);
      const other = robustRows[k]!;
      movement += dot(direction, moved) ** 2;
      difference +=
        dot(row, times(own, row)) - 2 * dot(row, times(mixed, other)) + dot(other, times(robustOwn, other));
    });
    const chance = ((1 + 2 * Math.SQRT2) * difference) / count;
    return Math.max(0, movement - chance) + variance / rows;
  };
}

const combined = (vectors: readonly Vector[], shares: Vector): Vector =>
  zeros(vectors[0]!.length).map((_, j) =>
    vectors.reduce((sum, vector, k) => sum + shares[k]! * vector[j]!, 0),
  );
