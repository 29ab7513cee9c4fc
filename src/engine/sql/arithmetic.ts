/**
 * The arithmetic of doubles that slopes and quantised rows are written in, once, for whatever computes them: `numbers`
 * does it here, `sqlArithmetic` (expressions.ts) writes it as SQL. Every operation is one of IEEE 754 with one right
 * answer, so that engines which round correctly agree in every bit; powers and logarithms, of which there are several
 * right answers, are left out.
 */
export interface Arithmetic<N> {
  constant(value: number): N;
  plus(a: N, b: N): N;
  minus(a: N, b: N): N;
  times(a: N, b: N): N;
  /** `b` is never 0. */
  over(a: N, b: N): N;
  root(a: N): N;
  size(a: N): N;
  floor(a: N): N;
  /** 2^n of a whole n. */
  twoTo(n: N): N;
  /** `yes` where a <= b, otherwise `no`; `no` where either is no number. */
  ifAtMost(a: N, b: N, yes: N, no: N): N;
  /** `yes` where a < b, otherwise `no`. */
  ifBelow(a: N, b: N, yes: N, no: N): N;
  /** `yes` where all values are finite numbers, otherwise `no`. */
  ifFinite(values: readonly N[], yes: N, no: N): N;
  /** `value` where |a| < limit; otherwise nothing, from which every result is nothing too, and no comparison holds. */
  onlyIfWithin(a: N, limit: N, value: N): N;
  /** Names a value that is used more than once, so that it is computed once. */
  named(value: N): N;
}

export const numbers: Arithmetic<number> = Object.freeze({
  constant: (value: number) => value,
  plus: (a: number, b: number) => a + b,
  minus: (a: number, b: number) => a - b,
  times: (a: number, b: number) => a * b,
  over: (a: number, b: number) => a / b,
  root: Math.sqrt,
  size: Math.abs,
  floor: Math.floor,
  twoTo: (n: number) => 2 ** n,
  ifAtMost: (a: number, b: number, yes: number, no: number) => (a <= b ? yes : no),
  ifBelow: (a: number, b: number, yes: number, no: number) => (a < b ? yes : no),
  ifFinite: (values: readonly number[], yes: number, no: number) => (values.every(Number.isFinite) ? yes : no),
  onlyIfWithin: (a: number, limit: number, value: number) => (Math.abs(a) < limit ? value : Number.NaN),
  named: (value: number) => value,
});

/** A sum by halves, whose rounding errors and whose depth as an expression grow with the logarithm of its length. */
export function sumOf<N>({ plus, constant }: Pick<Arithmetic<N>, 'plus' | 'constant'>, terms: readonly N[]): N {
  if (terms.length === 0) return constant(0);
  const add = (start: number, end: number): N => {
    if (end - start === 1) return terms[start]!;
    const middle = (start + end) >> 1;
    return plus(add(start, middle), add(middle, end));
  };
  return add(0, terms.length);
}
