/** A number of at least 0 in six significant digits, never above it: what may be asked for when so much is left. */
export function roundedDown(value: number): string {
  const [digits, exponent] = value.toExponential().split('e') as [string, string];
  return String(Number(`${digits.slice(0, 7)}e${exponent}`));
}
