import { refuse, requireNonNegative } from '../../errors.ts';
import { blend, distance as euclidean, type Vector } from '../../math/vector.ts';
import type { Gradient } from '../../sample/gradientSums.ts';
import type { UpdateRule } from './updateRule.ts';

export interface AveragedState<State> {
  readonly inner: State;
  readonly step: number;
  readonly average: Vector;
  /** The number of rows behind the average. */
  readonly rows: number;
}

/** In multiples of the root mean square distance due to noise alone. */
const FAR = 3;

export interface AverageOptions {
  /** n_s of the start and of every step; 0 excludes an iterate. */
  readonly rows: readonly number[];
  /** n times the expected squared error of an iterate computed from n rows. */
  readonly noise: number;
  /** The distance between two points; Euclidean by default. */
  readonly distance?: (a: Vector, b: Vector) => number;
}

/**
 * The average of a rule's iterates, each weighted by the number of rows it was computed from:
 *
 *   estimate_t = sum over s <= t of n_s theta_s / sum over s <= t of n_s
 *
 * Why: a Newton step from near the solution ends at the estimate of its own chunk, theta* - H^-1 g_s(theta*), whatever
 * preceded it. Chunks are disjoint, so the average uses the information of all rows, and a run loses nothing by seeing
 * each row once.
 *
 * That holds only near the solution. If the next iterate is much further from the average than the noise of both
 * explains,
 *
 *   ||theta_t - estimate_(t-1)||^2 > FAR^2 noise (1/(n_0 + ... + n_(t-1)) + 1/n_t),
 *
 * the averaged iterates had not converged yet, and the average restarts with that iterate.
 */
export function averaged<State>(
  rule: UpdateRule<State>,
  { rows, noise, distance = euclidean }: AverageOptions,
): UpdateRule<AveragedState<State>> {
  rows.forEach(count => {
    requireNonNegative('rows', count);
  });
  requireNonNegative('noise', noise);
  return Object.freeze({
    name: rule.name,
    init: (start: Vector): AveragedState<State> => {
      const inner = rule.init(start);
      return { inner, step: 0, average: rule.iterate(inner), rows: rows[0] ?? 0 };
    },
    query: ({ inner }: AveragedState<State>) => rule.query(inner),
    step: (state: AveragedState<State>, gradient: Gradient): AveragedState<State> => {
      const step = state.step + 1;
      const own = rows[step] ?? refuse('rows', `have a count for step ${step}`, rows.length);
      const inner = rule.step(state.inner, gradient);
      const theta = rule.iterate(inner);
      if (own === 0) return { ...state, inner, step, average: state.rows === 0 ? theta : state.average };
      const usual = noise * (1 / state.rows + 1 / own);
      const isFar = distance(theta, state.average) ** 2 > FAR ** 2 * usual;
      const behind = isFar ? 0 : state.rows;
      const total = behind + own;
      return { inner, step, average: blend(state.average, theta, own / total), rows: total };
    },
    iterate: ({ average }: AveragedState<State>) => average,
    rowsBehind: ({ rows: behind }: AveragedState<State>) => behind,
  });
}
