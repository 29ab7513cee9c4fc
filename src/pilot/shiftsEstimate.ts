/**
 * Whether a loss that counts more rows carries an estimate away further than chance does.
 *
 * At the estimate of one loss the gradient of another is 0 but for chance, where noise is symmetric around the line,
 * also if it is larger in some rows than in others. Rows that follow a law of their own pull to one side: k of them,
 * each as hard as a row can, add about k to
 *
 *   N u'V^-1 u,   u = g - A g_0,   A = H H_0^-1,   V = mean of d d',   d = (psi - A psi_0) x
 *
 * which by chance is as many as there are coefficients, give or take the root of twice as many; three times that is
 * allowed for, so that it takes some of them to be seen (seenRows).
 *
 *   g, H, psi -> gradient, curvature and slopes of the other loss, _0 -> of the loss that the estimate is of
 */
import { rankFactor } from '../math/rankFactor.ts';
import { times } from '../math/times.ts';
import { dot } from '../math/vector.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import type { Tuning } from './chooseTuning.ts';
import { solveBy } from './curvatureFactor.ts';
import { type EquationOptions, estimatingEquations, whitened } from './estimatingEquations.ts';

/**
 * From the estimate t of `chosen`, by `other`. Where `chosen` does not curve along a direction, nothing can be held
 * against it.
 */
export function shiftsEstimate(
  batch: SampleBatch,
  { chosen, other }: { readonly chosen: Tuning; readonly other: Tuning },
  options: EquationOptions,
  of: 'coefficients' | 'slopes' = 'coefficients',
): boolean {
  const { leverage } = options;
  const rank = leverage.factor.kept.length;
  const at = estimatingEquations(batch, options);
  const [own, more] = [at(chosen), at(other)];
  const white = (matrix: Float64Array): Float64Array => whitened(matrix, leverage);
  const rowsOf = (matrix: Float64Array): readonly Float64Array[] =>
    Array.from({ length: rank }, (_, k) => matrix.subarray(k * rank, (k + 1) * rank));

  const ownFactor = rankFactor(white(own.curvature), rank);
  if (ownFactor.kept.length < rank) return of === 'coefficients';
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
  // The intercept's coordinate is the first, and that of skewed noise depends on the loss by its nature.
  const first = of === 'slopes' && options.intercept ? 1 : 0;
  const looked = rank - first;
  const ofLooked = rowsOf(variance)
    .slice(first)
    .flatMap(row => [...row.subarray(first)]);
  const along = u.subarray(first);
  const moved = batch.rows * dot(along, solveBy(rankFactor(Float64Array.from(ofLooked), looked), along));
  return moved > looked + BY_CHANCE * Math.sqrt(2 * looked);
}

const BY_CHANCE = 3;

/**
 * So many rows that pull to one side are not taken for chance, and a few more since they do not all pull as hard as
 * they can.
 */
export const detectableRows = (coefficients: number): number => 8 + BY_CHANCE * Math.sqrt(2 * coefficients);
