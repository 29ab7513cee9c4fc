import { ArgumentError } from './check.ts';

/**
 * The root of an increasing function by Newton steps kept inside a shrinking bracket: a step that would
 * leave it becomes a bisection. Needs f(low) <= 0 <= f(high); stops when x no longer moves by `tolerance`
 * relative to the size of the bracket's ends.
 */
export function solveIncreasing(
  f: (x: number) => { value: number; slope: number },
  {
    low,
    high,
    start = (low + high) / 2,
    tolerance = 1e-15,
  }: { low: number; high: number; start?: number; tolerance?: number },
): number {
  let x = start;
  for (let iteration = 0; iteration < 300; iteration++) {
    const { value, slope } = f(x);
    if (value === 0) return x;
    if (value < 0) low = x;
    else high = x;
    const newton = x - value / slope;
    const next = newton > low && newton < high ? newton : (low + high) / 2;
    if (Math.abs(next - x) <= tolerance * Math.max(Math.abs(low), Math.abs(high))) return next;
    x = next;
  }
  throw new ArgumentError(`no root was found between ${low} and ${high}`);
}
