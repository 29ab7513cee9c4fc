/** The double nearest to unscaled 10^-scale, for integers from -2^53 to 2^53. */
export function decimalValue(scale: number): (unscaled: number) => number {
  // Up to 10^22 the power is a double, and a single quotient or product of two doubles is rounded correctly.
  if (Math.abs(scale) > 22) return unscaled => Number(`${unscaled}e${-scale}`);
  const power = Number(`1e${Math.abs(scale)}`);
  return scale < 0 ? unscaled => unscaled * power : unscaled => unscaled / power;
}
