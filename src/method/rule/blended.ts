import { addScaled, type Vector, zeros } from '../../math/vector.ts';
import type { Gradient } from '../../sample/gradientSums.ts';
import type { Loss } from '../loss/loss.ts';
import type { UpdateRule } from './updateRule.ts';

/** One of the fits that are blended: its rule, where it starts, its loss, and its weight in the estimate. */
export interface BlendedFit {
  readonly rule: UpdateRule;
  readonly start: Vector;
  readonly loss: Loss;
  readonly share: number;
}

/**
 * Several fits that see the same rows at once, each with a loss and a rule of its own, and whose weighted mean is the
 * estimate. Every step asks for the gradients of all of them, so that rows are read once for all.
 *
 *   at(t) = (theta_1, ..., theta_K),   g = (g_1, ..., g_K),   estimate = sum over k of share_k theta_k
 *
 * Losses have no penalty.
 */
export function blended(fits: readonly BlendedFit[]): UpdateRule<readonly unknown[]> {
  const { length: size } = fits[0]!.start;
  const iterates = (states: readonly unknown[]): readonly Vector[] =>
    fits.map(({ rule }, k) => rule.iterate(states[k]));
  const mean = (vectors: readonly Vector[]): Vector =>
    vectors.reduce((sum, vector, k) => addScaled(sum, fits[k]!.share, vector), zeros(size));
  const queries = (states: readonly unknown[]): readonly Vector[] => fits.map(({ rule }, k) => rule.query(states[k]));
  return Object.freeze({
    name: fits[0]!.rule.name,
    init: () => fits.map(({ rule, start }) => rule.init(start)),
    query: (states: readonly unknown[]) => mean(queries(states)),
    question(states: readonly unknown[]) {
      const points = queries(states);
      return { at: mean(points), fits: points.map((at, k) => ({ at, loss: fits[k]!.loss })) };
    },
    step: (states: readonly unknown[], { values, privacy }: Gradient) =>
      fits.map(({ rule }, k) => rule.step(states[k], { values: values.slice(k * size, (k + 1) * size), privacy })),
    iterate: (states: readonly unknown[]) => mean(iterates(states)),
    parts: iterates,
    ...(fits[0]!.rule.rowsBehind && {
      rowsBehind: (states: readonly unknown[]) => fits[0]!.rule.rowsBehind!(states[0]),
    }),
  });
}

/** A fit that stays where it starts. */
export const still: UpdateRule<Vector> = Object.freeze({
  name: 'still',
  init: (start: Vector) => start.slice(),
  query: (theta: Vector) => theta,
  step: (theta: Vector) => theta,
  iterate: (theta: Vector) => theta,
});
