/**
 * The average of a rule's iterates, each counting as the rows it was made from:
 *
 *   estimate_t = sum over s <= t of n_s theta_s / sum over s <= t of n_s
 *
 * Why. A Newton step from near the answer ends at what its own chunk says, theta* - H^-1 g_s(theta*), whatever came
 * before it. Chunks are disjoint, so the average says what all rows say together, and a run loses nothing by seeing
 * each of them once.
 *
 * That holds only near the answer. Where the next iterate is much further from the average than the noise of both
 * explains,
 *
 *   ||theta_t - estimate_(t-1)||^2 > FAR^2 noise (1/(n_0 + ... + n_(t-1)) + 1/n_t),
 *
 * what went into the average was not there yet, and it begins anew with that iterate.
 */
import { refuse, requireNonNegative } from '../math/check.ts';
import { blend, distance as euclidean, type Vector } from '../math/vector.ts';
import type { Gradient } from '../sample/blockSums.ts';
import type { UpdateRule } from './updateRule.ts';

export interface AveragedState<State> {
  readonly inner: State;
  readonly step: number;
  readonly average: Vector;
  /** Rows behind the average. */
  readonly rows: number;
}

/** So many times as far as noise alone would be on average. */
const FAR = 3;

export interface AverageOptions {
  /** n_s of the start and of every step; 0 leaves an iterate out. */
  readonly rows: readonly number[];
  /** The squared distance from the answer, times n, of an iterate that n rows make. */
  readonly noise: number;
  /** How far apart two points are; Euclidean unless given. */
  readonly distance?: (a: Vector, b: Vector) => number;
}

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
