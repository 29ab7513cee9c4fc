import { ArgumentError } from '../../errors.ts';
import type { Loss } from '../../method/loss/loss.ts';
import type { Arithmetic } from './arithmetic.ts';

/** The slope of a loss at a score, in some arithmetic. */
export type Slope = <N>(arithmetic: Arithmetic<N>, score: N, target: N) => N;

/**
 * The slope of a built-in loss as arithmetic that every engine does alike. The formulas are those of method/loss, whose
 * files explain them; e^-|s| and e^s are by the polynomial of the compiled kernel, because engines differ in the last bit
 * of theirs. A loss of the caller's own is a function of this process and cannot go where the rows are.
 */
export function slopeOf(loss: Loss): Slope {
  const { kernel } = loss;
  switch (kernel?.kind) {
    case 'squared':
      return squared;
    case 'logistic':
      return logistic;
    case 'weighted-logistic':
      return weightedLogistic;
    case 'pseudo-huber':
      return pseudoHuber(kernel.parameter);
    case 'geman-mcclure':
      return gemanMcClure(kernel.parameter);
    case 'tukey':
      return tukey(kernel.parameter);
    default:
      return namedSlope(loss);
  }
}

/** Losses without a compiled kernel are known by the names that their factories give them. */
function namedSlope({ name }: Loss): Slope {
  const [, kind, parameter] = /^(?:ridge\()*(huber|poisson)\(([^(),]+)\)/.exec(name) ?? [];
  if (kind === 'huber') return huber(Number(parameter));
  if (kind === 'poisson') return poisson(Number(parameter));
  throw new ArgumentError(
    `the loss ${name} is a function of this process, which an engine elsewhere cannot call; use a built-in loss, or read the rows here`,
    'ERR_CONFLICT',
    { argument: 'loss' },
  );
}

const squared: Slope = ({ minus }, score, target) => minus(score, target);

const huber =
  (most: number): Slope =>
  ({ minus, constant, ifBelow, named }, score, target) => {
    const residual = named(minus(score, target));
    const [least, largest] = [constant(-most), constant(most)];
    return ifBelow(residual, least, least, ifBelow(largest, residual, largest, residual));
  };

const pseudoHuber =
  (q: number): Slope =>
  ({ constant, minus, plus, times, over, root, size, ifAtMost, ifBelow, named }, score, target) => {
    const residual = named(minus(score, target));
    const [most, one] = [constant(q), constant(1)];
    const squareOf = <N>(ratio: N, product: (a: N, b: N) => N): N => product(ratio, ratio);
    const near = over(residual, root(plus(one, squareOf(over(residual, most), times))));
    const end = ifBelow(residual, constant(0), constant(-q), most);
    const far = over(end, root(plus(one, squareOf(over(most, residual), times))));
    return ifAtMost(size(residual), most, near, far);
  };

const gemanMcClure =
  (q: number): Slope =>
  ({ constant, minus, plus, times, over, size, ifAtMost, named }, score, target) => {
    const residual = named(minus(score, target));
    const ratio = named(over(size(residual), constant(q)));
    const d = named(plus(constant(1), times(ratio, ratio)));
    return ifAtMost(ratio, constant(FURTHEST), over(residual, times(d, d)), constant(0));
  };

/** Beyond so many q the slope is below any double that could be added to a sum. */
const FURTHEST = 1e100;

const tukey =
  (c: number): Slope =>
  ({ constant, minus, times, over, size, ifAtMost, named }, score, target) => {
    const residual = named(minus(score, target));
    const ratio = named(over(size(residual), constant(c)));
    const rest = named(minus(constant(1), times(ratio, ratio)));
    return ifAtMost(ratio, constant(1), times(times(residual, rest), rest), constant(0));
  };

const logistic: Slope = (arithmetic, score, target) => {
  const { constant, plus, over, named } = arithmetic;
  const e = named(decay(arithmetic, score));
  return over(sidesOf(arithmetic, score, target, e), plus(constant(1), e));
};

const weightedLogistic: Slope = (arithmetic, score, target) => {
  const e = arithmetic.named(decay(arithmetic, score));
  return arithmetic.times(sidesOf(arithmetic, score, target, e), arithmetic.constant(0.5));
};

/** What a score predicts: itself, or the mean of a generalized linear model at it. */
export function predictionOf<N>(arithmetic: Arithmetic<N>, loss: string, score: N): N {
  const { constant, plus, over, ifBelow, named } = arithmetic;
  if (loss === 'logistic') {
    const e = named(decay(arithmetic, score));
    return over(ifBelow(score, constant(0), e, constant(1)), plus(constant(1), e));
  }
  // The slope of a count of 0 is the rate.
  return loss === 'poisson' ? poisson(USUAL_LARGEST_SCORE)(arithmetic, score, constant(0)) : score;
}

/** That of a Poisson loss unless it is told otherwise. */
const USUAL_LARGEST_SCORE = 30;

/** (1 - y) e - y below 0, and 1 - y - y e above, for e = e^-|s|. */
function sidesOf<N>({ constant, minus, times, ifBelow }: Arithmetic<N>, score: N, target: N, e: N): N {
  const rest = minus(constant(1), target);
  return ifBelow(score, constant(0), minus(times(rest, e), target), minus(rest, times(target, e)));
}

/** e^s - y, with the rate of scores above the largest held there. */
const poisson =
  (largest: number): Slope =>
  (arithmetic, score, target) => {
    const { constant, minus, over, ifBelow, named } = arithmetic;
    const most = constant(largest);
    const held = named(ifBelow(most, score, most, score));
    const e = named(decay(arithmetic, held));
    // e^s of a positive s is 1 / e^-s: below e^700 neither overflows.
    return minus(ifBelow(held, constant(0), e, over(constant(1), e)), target);
  };

/** As in math/wasm/assembly/rows.ts, which explains the numbers. */
const LEAST = -746;
const HALF_PER_LN2 = 0.7213475204444817;
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
/** Adding it rounds to a whole number, and taking it away again leaves that. */
const ROUNDING = 6755399441055744;
const P = [
  0.5000000000000011, 0.16666666666666413, 0.041666666666530155, 0.008333333333494461, 0.0013888888943630114,
  0.00019841269506578688, 2.480149309890655e-5, 2.7557586373840165e-6, 2.763024837921144e-7, 2.5000061602835666e-8,
] as const;

/** e^-|s|, to 2 units in the last place. */
function decay<N>({ constant, plus, minus, times, size, twoTo, ifBelow, named }: Arithmetic<N>, score: N): N {
  const minusSize = minus(constant(0), size(score));
  const held = named(ifBelow(minusSize, constant(LEAST), constant(LEAST), minusSize));
  const shift = constant(ROUNDING);
  const n = named(minus(plus(times(held, constant(HALF_PER_LN2)), shift), shift));
  const x = times(held, constant(0.5));
  const r = named(minus(minus(x, times(n, constant(LN2_HIGH))), times(n, constant(LN2_LOW))));
  const r2 = named(times(r, r));
  const r4 = named(times(r2, r2));
  const pair = (k: number): N => plus(constant(P[k]!), times(r, constant(P[k + 1]!)));
  const p03 = plus(pair(0), times(r2, pair(2)));
  const p49 = plus(plus(pair(4), times(r2, pair(6))), times(r4, pair(8)));
  const tail = plus(r, times(r2, plus(p03, times(r4, p49))));
  const root = named(times(plus(constant(1), tail), twoTo(n)));
  return times(root, root);
}
