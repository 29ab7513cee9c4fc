/** The value of an IEEE 754 binary16: a sign bit, 5 bits of exponent, 10 of fraction. */
export function fromHalf(half: number): number {
  const sign = half >> 15 === 0 ? 1 : -1;
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}
