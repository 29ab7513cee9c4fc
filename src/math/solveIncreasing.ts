import { refuse, requireFinite } from '../errors.ts';

/**
 * The root of an increasing function by Newton steps kept inside a shrinking bracket: a step that would leave the
 * bracket, or is more than half as long as the one before, is replaced by a bisection. Needs f(low) <= 0 <= f(high);
 * stops when x moves by less than `tolerance` relative to the size of the bracket's ends.
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
  requireFinite('low', low);
  requireFinite('high', high);
  if (!(start >= low && start <= high)) refuse('start', `be from low = ${low} to high = ${high}`, start);
  let x = start;
  let stride = Infinity;
  // Terminates, because every iteration halves the stride or the bracket.
  for (;;) {
    const { value, slope } = f(x);
    if (value === 0) return x;
    if (value < 0) low = x;
    else if (value > 0) high = x;
    else refuse(`f(${x})`, 'be a number', value);
    const newton = x - value / slope;
    const accepted = newton > low && newton < high && Math.abs(newton - x) < stride / 2;
    const next = accepted ? newton : (low + high) / 2;
    stride = Math.abs(next - x);
    if (stride <= tolerance * Math.max(Math.abs(low), Math.abs(high))) return next;
    x = next;
  }
}

/**
 * A number >= 0 to six significant digits, rounded down: an amount that may still be requested if this much is left.
 */
export function roundedDown(value: number): string {
  const [digits, exponent] = value.toExponential().split('e') as [string, string];
  return String(Number(`${digits.slice(0, 7)}e${exponent}`));
}
