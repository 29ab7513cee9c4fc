/** Products of whole numbers against quotients of doubles. */
export const ROUNDING = 1e-9;
