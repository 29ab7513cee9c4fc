/** Relative tolerance between products of integers and quotients of doubles. */
export const ROUNDING = 1e-9;
