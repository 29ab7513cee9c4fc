/** A number to the given number of significant digits, without trailing zeros. */
export const toDigits = (value: number, digits: number): string => String(Number(value.toPrecision(digits)));
