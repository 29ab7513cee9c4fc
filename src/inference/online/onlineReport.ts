import { ArgumentError, requireProbability } from '../../errors.ts';
import { rankFactor } from '../../math/rankFactor.ts';
import { studentQuantile } from '../../math/studentTail.ts';
import { dot, type Vector } from '../../math/vector.ts';
import type { InformationState } from '../../method/rule/informationState.ts';
import type { OnlinePlan } from '../../plan/online/planOnline.ts';
import { anyTimeFactor } from './privateIntervals.ts';

type Intervals = readonly (readonly [number, number] | null)[];

/** What a stream says after a chunk, in the units of the data; an intercept is last. */
export interface OnlineReport {
  readonly theta: Vector;
  /** Standard errors, not a number where none is known; null before the third chunk that counts. */
  readonly errors: Vector | null;
  /** The interval of each coefficient that holds at this time; null where there is none. */
  readonly now: Intervals;
  /** The interval of each coefficient that may be watched for ever; null where there is none, or where rows are forgotten. */
  readonly anyTime: Intervals;
  /** The mean loss of rows before they were learnt from, of the last chunk and of all; null before any was scored. */
  readonly progressive: { readonly chunk: number; readonly all: number } | null;
  /** The latest change that was found: the chunks up to it, and the index of the coefficient; null where there was none. */
  readonly alarm: InformationState['alarm'];
  /** Chunks that were set aside. */
  readonly quarantined: number;
  /** Rows behind the estimate. */
  readonly rows: number;
  /** Chunks before the one that counting began with: 0 unless an alarm let it begin anew. */
  readonly since: number;
  /** Whether enough chunks have come since then for the estimate to be that of a fit of all their rows, to 2 %. */
  readonly isSettled: boolean;
}

/** Chunks after which an estimate is settled. */
const SETTLED_FROM = 10;

/**
 * Estimates and intervals of a stream, from its state alone.
 *
 *   se_j = s_j sqrt(a_j'A^-1 a_j),   s_j^2 = mean of x_j^2;   where rows are forgotten s_j sqrt(W2)/W
 *   now       coefficient_j +- t(nu_j) se_j
 *   any time  coefficient_j +- anyTimeFactor(n_j, nu_j) se_j,   n_j = rows since the column first varied / chunk
 *
 *   a_j -> the coefficient's direction, x_j -> how its estimate moved in units of what the chunk could tell,
 *   nu_j -> the number of x_j, A -> information, W, W2 -> sums of weights and of their squares
 */
export function reportOnline(
  state: InformationState,
  { rule, forget, figures }: Pick<OnlinePlan, 'rule' | 'forget' | 'figures'>,
  { level = 0.05 }: { readonly level?: number } = {},
): OnlineReport {
  requireProbability('level', level);
  const theta = rule.iterate(state);
  const errors = errorsOf(state, rule, forget !== null);
  const { freedom, weight, began, progressive } = state;
  const around = (factorOf: (j: number) => number | null): Intervals =>
    Array.from(theta, (value, j) => {
      const factor = freedom[j]! < 2 || !(errors[j]! >= 0) ? null : factorOf(j);
      return factor === null ? null : ([value - factor * errors[j]!, value + factor * errors[j]!] as const);
    });
  return {
    theta,
    errors: freedom.some(count => count >= 2) ? errors : null,
    now: around(j => studentQuantile(1 - level / 2, freedom[j]!)),
    anyTime: around(j =>
      forget === null ? anyTimeFactor((weight - began[j]!) / figures.chunk, freedom[j]!, level) : null,
    ),
    progressive: progressive && { chunk: progressive.chunk, all: progressive.all },
    alarm: state.alarm,
    quarantined: state.aside,
    rows: state.rows,
    since: state.since,
    isSettled: state.chunks >= SETTLED_FROM,
  };
}

/** Standard errors of the coefficients; not a number where fewer than two chunks said anything. */
function errorsOf(state: InformationState, rule: OnlinePlan['rule'], forgets: boolean): Vector {
  const { information, spreads, freedom, scale, squaredWeight, weight } = state;
  const { solveFactor } = rankFactor(information, state.theta.length, 0);
  return Float64Array.from(rule.directions(state), (a, j) => {
    if (freedom[j]! < 2 || (j < scale.length && !(scale[j]! > 0))) return NaN;
    const spread = Math.sqrt(spreads[j]!);
    if (forgets) return ((spread * Math.sqrt(squaredWeight)) / weight) * (j < scale.length ? a[j]! : 1);
    const half = solveFactor(a);
    return spread * Math.sqrt(dot(half, half));
  });
}

/**
 * One state from those of several watchers that shared a stream, by the same plan: information and counts add up, in
 * the coordinates of the first. For the squared loss that is the state of one watcher over all their chunks.
 */
export function mergeOnline(states: readonly InformationState[], { rule }: Pick<OnlinePlan, 'rule'>): InformationState {
  if (states.length === 0)
    throw new ArgumentError('there are no states to merge; give at least one', 'ERR_ARGUMENT', {
      argument: 'states',
      value: 0,
    });
  return rule.merge(states);
}
