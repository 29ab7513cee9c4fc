/**
 * A score test of whether another loss, which rejects fewer rows, shifts the estimate by more than chance.
 *
 * If noise is symmetric around the line, even if it is larger in some rows, the gradient of the other loss at the
 * estimate is 0 but for chance. Outliers pull to one side: k of them, each with the largest influence that a row can
 * have, add about k to
 *
 *   N u'V^-1 u,   u = g - A g_0,   A = H H_0^-1,   V = mean of d d',   d = (psi - A psi_0) x
 *
 *   g, H, psi -> gradient, curvature and slopes of the other loss, _0 -> of the loss of the estimate
 *
 * which has the mean p and the standard deviation sqrt(2p) of chi-square with p degrees of freedom, p the number of
 * coefficients. Three standard deviations are allowed for.
 */
import { rankFactor } from '../math/rankFactor.ts';
import { times } from '../math/times.ts';
import { dot } from '../math/vector.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import type { Tuning } from './chooseTuning.ts';
import { solveBy } from './curvatureFactor.ts';
import { type EquationOptions, estimatingEquations, whitened } from './estimatingEquations.ts';

/** At the estimate t of `chosen`. Where the curvature of `chosen` has not full rank, a shift cannot be judged. */
export function shiftsEstimate(
  batch: SampleBatch,
  { chosen, other }: { readonly chosen: Tuning; readonly other: Tuning },
  options: EquationOptions,
): boolean {
  const { leverage } = options;
  const rank = leverage.factor.kept.length;
  const at = estimatingEquations(batch, options);
  const [own, more] = [at(chosen), at(other)];
  const white = (matrix: Float64Array): Float64Array => whitened(matrix, leverage);
  const rowsOf = (matrix: Float64Array): readonly Float64Array[] =>
    Array.from({ length: rank }, (_, k) => matrix.subarray(k * rank, (k + 1) * rank));

  const ownFactor = rankFactor(white(own.curvature), rank);
  if (ownFactor.kept.length < rank) return true;
  const transfer = rowsOf(white(more.curvature)).map(row => solveBy(ownFactor, row));
  const ownGradient = leverage.factor.solveFactor(own.gradient);
  const u = leverage.factor.solveFactor(more.gradient).map((g, k) => g - dot(transfer[k]!, ownGradient));

  const moments = rowsOf(white(more.crossMoments(more.influence)));
  const mixed = rowsOf(white(more.crossMoments(own.influence)));
  const ownMoments = white(own.crossMoments(own.influence));
  const carried = transfer.map(row => times(ownMoments, row));
  const variance = Float64Array.from({ length: rank * rank }, (_, place) => {
    const [k, l] = [Math.floor(place / rank), place % rank] as const;
    return (
      moments[k]![l]! -
      dot(transfer[k]!, mixed[l]!) -
      dot(transfer[l]!, mixed[k]!) +
      dot(transfer[k]!, carried[l]!)
    );
  });
  const shift = batch.rows * dot(u, solveBy(rankFactor(variance, rank), u));
  return shift > rank + BY_CHANCE * Math.sqrt(2 * rank);
}

const BY_CHANCE = 3;
