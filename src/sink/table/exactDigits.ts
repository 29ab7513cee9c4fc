/** The shortest decimal that parses back to the same double, including the sign of a zero. */
export const exactDigits = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));
