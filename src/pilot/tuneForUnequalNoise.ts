/**
 * Whether a redescending loss knows enough along every direction, and the loss to take where it does not.
 *
 * One scale tells which rows are left out. Where noise differs between rows, it is the scale of most of them, and a
 * group whose noise is several times as large is left out in good part: what only these rows tell, such as the effect
 * of the group itself, is then hardly told. In the mean over all directions (chooseTuning.ts) that does not show. Along
 * one of them it does: the loss curves,
 *
 *   H = mean of w psi' x x',   W = mean of w psi/r x x',
 *
 * by the same share of W along all directions where noise has nothing to do with features, whatever its law, and by
 * less along those of a noisy group. Where it is much less along any, pseudo-Huber's loss, which counts every row, is
 * held against the chosen one by the squared error of the slopes over n rows that each promises, with all directions
 * told apart:
 *
 *   bias^2 + tr M C/n,   C = H^-1 V H^-1,   V = mean of (w psi)^2 x x'
 *   bias^2 = |m|^2 - (1 + 2 sqrt 2) tr M D/N, or 0,   m = M^1/2 H^-1 g,   D = the same as C of H^-1 psi - H_0^-1 psi_0
 *
 *   M -> moments of the features by leverage, g -> mean of w psi x over the N rows here, _0 -> of the surest loss
 *
 * The bias counts along the directions that the surest loss does tell: rows that do not belong are still left out, and
 * along the others nothing is known that an estimate could be held against.
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

/** t is the estimate of the surest loss. */
export interface UnequalNoiseOptions extends EquationOptions {
  readonly scale: number;
  /** n */
  readonly rows: number;
}

/** The tuning as it is, or a safer one where that is clearly better. */
export function tuneForUnequalNoise(
  batch: SampleBatch,
  chosen: Tuning,
  options: UnequalNoiseOptions,
): Tuning {
  const { scale, leverage, intercept, t } = options;
  const rank = leverage.factor.kept.length;
  // So few can be fitted without saying anything of how they curve along one direction or another.
  if (batch.rows < ROWS_PER_DIRECTION * rank) return chosen;
  const at = estimatingEquations(batch, options);
  const curves = (view: EstimatingEquation, share: number): boolean =>
    curvatureFactor(view.curvatureAbove(share), t.length, intercept).kept.length === rank;
  const own = at(chosen);
  if (curves(own, EVEN)) return chosen;

  const surest: Tuning = { loss: mostRobustLoss(scale), isWeighted: true };
  const reference = at(surest);
  const above = whitened(reference.curvatureAbove(SOUND), leverage);
  // Where the surest loss leaves out every row, there is nothing to hold others against.
  if (!above.every(Number.isFinite)) return chosen;
  const sound = soundDirections(above, rank);
  const errorOf = promised(reference, sound, options, batch.rows);
  // Where the surest loss tells all directions, rows far out made the chosen one flat, and weights are enough.
  const safe =
    sound.length === rank
      ? [{ ...chosen, isWeighted: true }, surest]
      : SAFE.flatMap(scales => {
          const loss = lossByName('pseudo-huber', { parameter: scales * scale });
          return [false, true].map(isWeighted => ({ loss, isWeighted }));
        });
  const errors = safe.map(tuning => errorOf(at(tuning)));
  const best = errors.indexOf(Math.min(...errors));
  // A minimum that hardly curves is one of several, found because it curves more than it should by its law: its promise
  // is not to be trusted.
  const least = (curves(own, FLAT) ? CLEARLY : DOUBTFUL) * errorOf(own);
  return errors[best]! < least ? safe[best]! : chosen;
}

const ROWS_PER_DIRECTION = 10;
/** Of what the loss curves by over all rows together; the rest of the way to 1 is room for chance. */
const EVEN = 0.7;
/** With less, other estimates are not held against this one. */
const SOUND = 0.6;
/** With so little, its estimate is one of several. */
const FLAT = 0.48;
/** In residual scales: the second costs next to nothing under normal noise. */
const SAFE = [HUBER_TUNING, 4];
/** Chance makes no such difference. */
const CLEARLY = 0.87;
const DOUBTFUL = 10;

/** Orthonormal, as rows: along them the matrix is positive. */
const soundDirections = (matrix: Float64Array, size: number): readonly Vector[] =>
  symmetricEigen(matrix, size).flatMap(({ value, vector }) => (value > 0 ? [vector] : []));

/** The squared error that a loss promises, in the coordinates in which M is the identity. */
function promised(
  surest: EstimatingEquation,
  sound: readonly Vector[],
  { leverage, intercept, rows }: UnequalNoiseOptions,
  count: number,
): (view: EstimatingEquation) => number {
  const rank = leverage.factor.kept.length;
  const white = (matrix: Float64Array): Float64Array => whitened(matrix, leverage);
  // The surest loss, over the directions that it tells: rows of S (S'H_0 S)^-1 S'.
  const curvature = white(surest.curvature);
  const images = sound.map(direction => times(curvature, direction));
  const inner = Float64Array.from(sound.flatMap(a => images.map(image => dot(a, image))));
  const innerFactor = rankFactor(inner, sound.length);
  const surestRows = sound.map((_, k) => combined(sound, solveBy(innerFactor, unitAlong(k, sound.length))));
  const surestOwn = white(surest.crossMoments(surest.influence));
  const first = intercept ? 1 : 0;

  return view => {
    const factor = rankFactor(white(view.curvature), rank);
    if (factor.kept.length < rank) return Infinity;
    const own = white(view.crossMoments(view.influence));
    const mixed = white(view.crossMoments(surest.influence));
    let variance = 0;
    for (let k = first; k < rank; k++) {
      const row = solveBy(factor, unitAlong(k, rank));
      variance += dot(row, times(own, row));
    }
    const moved = solveBy(factor, leverage.factor.solveFactor(view.gradient));
    let [movement, apart] = [0, 0];
    sound.forEach((direction, k) => {
      const row = solveBy(factor, direction);
      const other = surestRows[k]!;
      movement += dot(direction, moved) ** 2;
      apart +=
        dot(row, times(own, row)) - 2 * dot(row, times(mixed, other)) + dot(other, times(surestOwn, other));
    });
    const chance = ((1 + 2 * Math.SQRT2) * apart) / count;
    return Math.max(0, movement - chance) + variance / rows;
  };
}

const combined = (vectors: readonly Vector[], shares: Vector): Vector =>
  zeros(vectors[0]!.length).map((_, j) =>
    vectors.reduce((sum, vector, k) => sum + shares[k]! * vector[j]!, 0),
  );
