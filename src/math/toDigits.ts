/** A number to so many significant digits, without zeros that say nothing. */
export const toDigits = (value: number, digits: number): string => String(Number(value.toPrecision(digits)));
