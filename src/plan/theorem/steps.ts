/**
 * T is a whole number: rounded up, at least 1. A value a few bits above a whole number is that number (1e5 ** 0.2 is
 * not 11 steps).
 */
export const wholeSteps = (value: number): number =>
  Number.isFinite(value) ? Math.max(1, Math.ceil(value * (1 - 1e-12))) : Infinity;

/** log_{1/c}(x): steps after which a contraction c has shrunk an error x-fold; infinite where c does not contract. */
export const stepsToShrink = (contraction: number, x: number): number =>
  contraction > 0 && contraction < 1 ? wholeSteps(Math.log(x) / -Math.log(contraction)) : Infinity;
