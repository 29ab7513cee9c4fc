/**
 * Layout of the numbers that describe the risk around a point, written by `engine/kernel/wholeSummer.ts` and read by
 * `inference/intervals/private/riskAxes.ts`: first the curvature along every coordinate, then two numbers about a
 * direction, and last the variance of the gradients along every coordinate.
 */
export interface CurvaturePlaces {
  /** The index of the curvature along the direction; the mixed one of direction and intercept follows. */
  readonly along: number;
  readonly between: number;
  /** The index of the first variance of the gradients. */
  readonly gradients: number;
  readonly count: number;
}

/** `size` counts coordinates, including an intercept. */
export const curvaturePlaces = (size: number): CurvaturePlaces => ({
  along: size,
  between: size + 1,
  gradients: size + 2,
  count: 2 * size + 2,
});
