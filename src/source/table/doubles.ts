/** Whether -2^53 <= high 2^32 + low <= 2^53. The sum itself would be rounded, so it cannot be compared. */
export const isExact = (low: number, high: number): boolean =>
  high >= -(2 ** 21) && (high < 2 ** 21 || (high === 2 ** 21 && low === 0));

/** Advice for a text that is declared a whole number, and is one that a double cannot represent exactly. */
export const ROUND_OR_TEXT = 'declare the column "float" to have it rounded, or "text" if it is an identifier';

/** The double nearest to unscaled 10^-scale, for any integer. */
export const wideDecimal = (unscaled: bigint, scale: number): number => Number(`${unscaled}e${-scale}`);

/** The double nearest to unscaled 10^-scale, for integers from -2^53 to 2^53. */
export function decimalValue(scale: number): (unscaled: number) => number {
  // Up to 10^22 the power is a double, and a single quotient or product of two doubles is rounded correctly.
  if (Math.abs(scale) > 22) return unscaled => Number(`${unscaled}e${-scale}`);
  const power = Number(`1e${Math.abs(scale)}`);
  return scale < 0 ? unscaled => unscaled * power : unscaled => unscaled / power;
}

/** The value of an IEEE 754 binary16: a sign bit, 5 bits of exponent, 10 of fraction. */
export function fromHalf(half: number): number {
  const sign = half >> 15 === 0 ? 1 : -1;
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}
