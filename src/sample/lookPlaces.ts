/**
 * Where the numbers of a look at the risk stand, which `gradient/lookSummer.ts` writes and `plan/riskAxes.ts` reads:
 * first how much it curves along every coordinate, at the end how much gradients vary along every one, and between them
 * two of a direction.
 */
export interface LookPlaces {
  /** How much the risk curves along the direction, and between that and the intercept. */
  readonly along: number;
  readonly between: number;
  /** The first of how much gradients vary. */
  readonly gradients: number;
  readonly count: number;
}

/** Of so many coordinates, an intercept among them. */
export const lookPlaces = (size: number): LookPlaces => ({
  along: size,
  between: size + 1,
  gradients: size + 2,
  count: 2 * size + 2,
});
