/** from, from + step, ..., up to `to`. */
export const grid = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, k) => from + k * step);
