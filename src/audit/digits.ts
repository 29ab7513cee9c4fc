/** A number as messages have it. */
export const digits = (value: number): string => String(Number(value.toPrecision(4)));
