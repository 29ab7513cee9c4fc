import { requireProbability } from '../../errors.ts';
import { studentQuantile } from '../../math/studentTail.ts';
import type { Vector } from '../../math/vector.ts';
import { hiddenShares, type PooledState, spreadsOf } from '../../method/rule/pooled.ts';
import type { PrivateOnlinePlan } from '../../plan/online/planPrivateOnline.ts';
import { unscale } from '../../sample/transform/scaling.ts';

/** What a private stream says after a release, in the units of the data; an intercept is last. */
export interface PrivateReport {
  readonly theta: Vector;
  /** Standard errors, noise included; null before the third pooled gradient. */
  readonly errors: Vector | null;
  /** The interval of each coefficient that holds at this time; null where there is none. */
  readonly now: readonly (readonly [number, number] | null)[];
  /** The interval of each coefficient that may be watched for ever; null where there is none. */
  readonly anyTime: readonly (readonly [number, number] | null)[];
  /** Places of the coefficients that noise hides, which have no intervals: their estimates are held back. */
  readonly hidden: readonly number[];
  /** Whether the preamble is over, and pooled estimates have begun. */
  readonly isPooled: boolean;
  /** Rows of private streams are never scored: their loss would be shown without noise. */
  readonly progressive: null;
  /** The latest change that was found: the release, from 1, and the index of the coefficient; null where there was none. */
  readonly alarm: PooledState['alarm'];
  /** Chunks whose released gradient was set aside. */
  readonly quarantined: number;
  /** Rows of all releases so far: a public number. */
  readonly rows: number;
}

/** Of a coefficient's direction: intervals were right where no more was hidden, and wrong in a tenth of cases with half of it. */
const MOST_HIDDEN = 0.01;
/** t0: the number of chunks at which any-time intervals are shortest. */
const SHORTEST_AT = 100;

/**
 * Estimates and intervals of a private stream, from its state alone: every number is made of releases.
 *
 *   se = s sqrt(W2)/W,   s^2 = mean of r^2,   W, W2 -> sums of the chunks' weights and of their squares
 *   now       theta +- t(nu) se
 *   any time  theta +- se sqrt(nu (K - 1)/(1 - K/R)),   R = 1 + n G,   K = (R/a^2)^(1/(nu + 1)),
 *             G = (-2 ln a + ln(1 - 2 ln a))/100;   none while K >= R, and none where rows are forgotten
 *
 *   nu -> freedom, n -> pooled gradients, a -> level; a mixture of Student's t, exact for normal chunks
 */
export function reportPrivate(
  state: PooledState,
  { rule, scaling, rowsBefore, forgets }: Pick<PrivateOnlinePlan, 'rule' | 'scaling' | 'rowsBefore' | 'forgets'>,
  { level = 0.05 }: { readonly level?: number } = {},
): PrivateReport {
  requireProbability('level', level);
  const { theta: scaled, map } = rule.coefficients(state);
  const theta = unscale(scaled, scaling);
  const size = theta.length;
  const { weight, squaredWeight, freedom } = state;
  const inData = inDataUnits(map, size, scaling);
  const shares = weight > 0 ? hiddenShares(state, inData) : new Float64Array(size);
  const hidden = [...shares.keys()].filter(j => shares[j]! > MOST_HIDDEN);
  const common = {
    theta,
    hidden,
    isPooled: weight > 0,
    progressive: null,
    alarm: state.alarm,
    quarantined: state.aside,
    rows: rowsBefore(state.step),
  };
  const none = Array.from({ length: size }, () => null);
  if (freedom < 2) return { ...common, errors: null, now: none, anyTime: none };
  const errors = spreadsOf(state, inData).map((s, j) =>
    hidden.includes(j) ? NaN : (s * Math.sqrt(squaredWeight)) / weight,
  );
  const around = (factor: number | null): PrivateReport['now'] =>
    factor === null
      ? none
      : Array.from(theta, (value, j) =>
          hidden.includes(j) ? null : ([value - factor * errors[j]!, value + factor * errors[j]!] as const),
        );
  return {
    ...common,
    errors,
    now: around(studentQuantile(1 - level / 2, freedom)),
    anyTime: around(forgets ? null : anyTimeFactor(weight, freedom, level)),
  };
}

/** The length of an interval that may be watched for ever, in standard errors on either side; null while there is none. */
export function anyTimeFactor(n: number, freedom: number, level: number): number | null {
  const growth = (-2 * Math.log(level) + Math.log(1 - 2 * Math.log(level))) / SHORTEST_AT;
  const R = 1 + n * growth;
  const K = (R / level ** 2) ** (1 / (freedom + 1));
  return K < R ? Math.sqrt((freedom * (K - 1)) / (1 - K / R)) : null;
}

/** The linear part of the map from the rule's coordinates to coefficients of the data, row-major. */
function inDataUnits(map: Float64Array, size: number, scaling: PrivateOnlinePlan['scaling']): Float64Array {
  const found = new Float64Array(size * size);
  const origin = unscale(new Float64Array(size), scaling);
  for (let c = 0; c < size; c++) {
    const column = unscale(
      Float64Array.from({ length: size }, (_, j) => map[j * size + c]!),
      scaling,
    );
    for (let j = 0; j < size; j++) found[j * size + c] = column[j]! - origin[j]!;
  }
  return found;
}
