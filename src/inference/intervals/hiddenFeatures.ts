import type { WhiteAxis, Whitening } from '../../sample/transform/whitening.ts';

/** Up to twice the noise floor, noise may account for all of the released variation. */
export const HIDDEN = 2;

export interface HiddenFeature {
  readonly place: number;
  /** How much the feature may vary, in the units of scaled rows. */
  readonly spread: number;
}

/**
 * The features whose released second moments are within the range of noise alone, so that they may not vary at all:
 *
 *   sum over k of v_kj^2 l_k <= 2 (sum over k of v_kj^2 f_k);   spread^2 = sum over k of v_kj^2 s_k^2
 *
 *   v_k -> direction, l_k -> moment, f_k -> floor, s_k -> spread of an axis
 */
export function hiddenFeatures({ centre, axes }: Whitening): readonly HiddenFeature[] {
  const along = (j: number, read: (axis: WhiteAxis) => number): number =>
    axes.reduce((sum, axis) => sum + axis.direction[j]! ** 2 * read(axis), 0);
  return Array.from(centre, (_, j) => j)
    .filter(j => along(j, ({ moment, floor }) => moment - HIDDEN * floor) <= 0)
    .map(place => ({ place, spread: Math.sqrt(along(place, ({ spread }) => spread ** 2)) }));
}
