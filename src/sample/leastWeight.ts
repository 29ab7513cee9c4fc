/** Where no row weighs as much, squares of weights are lost to rounding, and with them what intervals rest on. */
export const LEAST_WEIGHT = 1e-150;
