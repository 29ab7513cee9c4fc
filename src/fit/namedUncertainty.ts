import type { Vector } from '../math/vector.ts';
import type { Uncertainty } from '../model/model.ts';
import { INTERCEPT } from '../sample/samples.ts';

/**
 * Intervals of coefficients in their order, an intercept last, as a model has them: by name. Columns that were left out
 * have none.
 */
export function namedUncertainty(
  { level, errors, lower, upper, radius }: IntervalEnds,
  names: readonly string[],
  basis: string,
  leftOut: readonly number[] = [],
): Uncertainty {
  const all = [...names, INTERCEPT].slice(0, errors.length);
  const by = <T>(read: (j: number) => T): Record<string, T> =>
    Object.fromEntries(all.flatMap((name, j) => (leftOut.includes(j) ? [] : [[name, read(j)]])));
  return {
    level,
    errors: by(j => errors[j]!),
    intervals: by(j => [lower[j]!, upper[j]!] as const),
    radius,
    basis,
  };
}

export interface IntervalEnds extends Pick<Uncertainty, 'level' | 'radius'> {
  readonly errors: Vector;
  readonly lower: Vector;
  readonly upper: Vector;
}
