/**
 * A number >= 0 to six significant digits, rounded down: an amount that may still be requested if this much is left.
 */
export function roundedDown(value: number): string {
  const [digits, exponent] = value.toExponential().split('e') as [string, string];
  return String(Number(`${digits.slice(0, 7)}e${exponent}`));
}
