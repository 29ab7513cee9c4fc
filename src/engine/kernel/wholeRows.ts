/** The rotation per row is by the golden ratio; per coordinate, by the square root of 2. */
const PER_ROW = 0.6180339887498949;
const PER_COORDINATE = 0.41421356237309503;
/** Slightly more than the rounding errors of the factor it multiplies, so that shrunk rows pass the check. */
const SHRINKAGE = 1 - 1e-9;

/**
 * Rows as integers with a bounded norm, whose sums can take noise without a floating-point leak.
 *
 *   q_j = floor(v_j + dither(row, j)),   v -> the row's contribution, in steps of a grid
 *   if ||q||^2 > squaredNorm: q shrunk to that norm and truncated toward 0
 *   if q has NaN, infinities or a square that overflows: 0
 *
 * Guarantee. ||q||^2 <= squaredNorm for every row, whatever its values, so replacing one row changes a sum by at most 2
 * sqrt(squaredNorm), exactly. The check is a comparison of doubles, and it is exact: squaredNorm is at most 2^52; as
 * long as a sum of squares is below 2^53 it is an integer without rounding, and once it is not, neither rounding nor
 * further squares bring it back below. NaN and infinities fail the comparison. Shrunk rows are checked again.
 *
 * The dither distributes rounding errors evenly. For each coordinate it is a rotation by the golden ratio from row to
 * row, the most even of all rotations. So the error of a sum of equal rows stays within a few steps of the grid however
 * many there are, whereas half a step each would add up. Every coordinate starts at a different point, so their errors
 * differ. The dither depends on a row's position only, which does not depend on the data.
 */
export function wholeRows(size: number, squaredNorm: number) {
  const values = new Float64Array(size);
  const whole = new Float64Array(size);
  const phases = Float64Array.from({ length: size }, (_, j) => fractionOf(j * PER_COORDINATE));
  let place = 0;
  return {
    /** The next row's contribution, in steps of the grid, is written here. */
    values,
    /** Adds the row to `sums` as integers. */
    addTo(sums: Float64Array): void {
      const dither = fractionOf(place++ * PER_ROW);
      let squares = 0;
      for (let j = 0; j < size; j++) {
        const q = Math.floor(values[j]! + fractionOf(dither + phases[j]!));
        whole[j] = q;
        squares += q * q;
      }
      if (squares <= squaredNorm || shrink(whole, SHRINKAGE * Math.sqrt(squaredNorm / squares)) <= squaredNorm) {
        for (let j = 0; j < size; j++) sums[j]! += whole[j]!;
      }
    },
  };
}

/** Shrinks the numbers in place, toward 0, and returns their squared norm. */
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
