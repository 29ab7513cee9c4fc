/** The shortest decimal that reads back as the same double, the sign of a zero included. */
export const exactDigits = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));
