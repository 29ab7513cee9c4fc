/**
 * Rows as whole numbers that are held to a norm, which sums are made of that noise can be added to without a
 * floating-point leak.
 *
 *   q_j = floor(v_j + dither(row, j)),   v -> what the row adds, in steps of a grid
 *   where ||q||^2 > squaredNorm: q shrunk to that norm and cut toward 0; a q with NaN, infinities or a square that overflows: 0
 *
 * Guarantee. ||q||^2 <= squaredNorm for every row, whatever it holds, so replacing one row moves a sum by at most 2
 * sqrt(squaredNorm), exactly. The check is a comparison of doubles, and exact: squaredNorm is at most 2^52; as long as
 * a sum of squares is below 2^53 it is a whole number without rounding, and once it is not, neither rounding nor
 * further squares bring it back. NaN and infinities are not at most anything. What is shrunk is checked again.
 *
 * The dither spreads what rounding takes and gives evenly: for each coordinate it is a rotation by the golden ratio
 * from row to row, of all rotations the most even, so the error of a sum of equal rows stays a few steps of the grid
 * however many there are, where half a step each would add up. Every coordinate starts at a place of its own, so their
 * errors differ. It knows a row by its place, which no data decide.
 */
export interface WholeRows {
  /** Where the next row goes, in steps of the grid. */
  readonly values: Float64Array;
  /** Adds the row to `sums` as whole numbers. */
  addTo(sums: Float64Array): void;
}

/** From row to row, the golden ratio; from coordinate to coordinate, the square root of 2. */
const PER_ROW = 0.6180339887498949;
const PER_COORDINATE = 0.41421356237309503;
/** Takes a little more than the roundings of the factor it goes with, so that what is shrunk passes. */
const SHRINKAGE = 1 - 1e-9;

export function wholeRows(size: number, squaredNorm: number): WholeRows {
  const values = new Float64Array(size);
  const whole = new Float64Array(size);
  const phases = Float64Array.from({ length: size }, (_, j) => fractionOf(j * PER_COORDINATE));
  let place = 0;
  return {
    values,
    addTo(sums) {
      const dither = fractionOf(place++ * PER_ROW);
      let squares = 0;
      for (let j = 0; j < size; j++) {
        const q = Math.floor(values[j]! + fractionOf(dither + phases[j]!));
        whole[j] = q;
        squares += q * q;
      }
      if (
        squares <= squaredNorm ||
        shrink(whole, SHRINKAGE * Math.sqrt(squaredNorm / squares)) <= squaredNorm
      ) {
        for (let j = 0; j < size; j++) sums[j]! += whole[j]!;
      }
    },
  };
}

/** Shrinks the numbers in place, toward 0, and gives their squared norm. */
function shrink(numbers: Float64Array, factor: number): number {
  let squares = 0;
  for (let j = 0; j < numbers.length; j++) {
    const shorter = Math.trunc(numbers[j]! * factor);
    numbers[j] = shorter;
    squares += shorter * shorter;
  }
  return squares;
}

const fractionOf = (value: number): number => value - Math.floor(value);
