/** If all weights are smaller, their squares underflow, and intervals cannot be computed. */
export const LEAST_WEIGHT = 1e-150;
