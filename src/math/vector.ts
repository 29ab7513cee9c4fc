/** A point or a direction in R^p. Functions here are pure: they never write to their arguments. */
export type Vector = Float64Array;

/** The zero vector of a length. */
export const zeros = (length: number): Vector => new Float64Array(length);

/** A vector of equal coordinates. */
export const filled = (length: number, value: number): Vector => new Float64Array(length).fill(value);

/** The unit vector along one coordinate. */
export const unitAlong = (coordinate: number, length: number): Vector =>
  zeros(length).fill(1, coordinate, coordinate + 1);

/** The inner product of two vectors. */
export function dot(a: Vector, b: Vector): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** a + scale * b */
export function addScaled(a: Vector, scale: number, b: Vector): Vector {
  const sum = new Float64Array(a.length);
  for (let i = 0; i < a.length; i++) sum[i] = a[i]! + scale * b[i]!;
  return sum;
}

export const subtract = (a: Vector, b: Vector): Vector => addScaled(a, -1, b);

/** scale * a */
export function scaled(a: Vector, scale: number): Vector {
  const product = new Float64Array(a.length);
  for (let i = 0; i < a.length; i++) product[i] = scale * a[i]!;
  return product;
}

/** (1 - share) * a + share * b */
export function blend(a: Vector, b: Vector, share: number): Vector {
  const mixed = new Float64Array(a.length);
  for (let i = 0; i < a.length; i++) mixed[i] = (1 - share) * a[i]! + share * b[i]!;
  return mixed;
}

export function maxNorm(a: Vector): number {
  let largest = 0;
  for (let i = 0; i < a.length; i++) largest = Math.max(largest, Math.abs(a[i]!));
  return largest;
}

export function oneNorm(a: Vector): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]!);
  return sum;
}

/** The Euclidean norm, correct even if the squares of the coordinates overflow or underflow. */
export function norm(a: Vector): number {
  const sum = dot(a, a);
  if (sum > 1e-280 && sum < 1e280) return Math.sqrt(sum);
  const largest = maxNorm(a);
  if (largest === 0 || !Number.isFinite(largest)) return largest;
  let scaledSum = 0;
  for (let i = 0; i < a.length; i++) scaledSum += (a[i]! / largest) ** 2;
  return largest * Math.sqrt(scaledSum);
}

/** The Euclidean distance of two vectors. */
export const distance = (a: Vector, b: Vector): number => norm(subtract(a, b));

/** Adds `factor` times a column. A function of its own, so that it is compiled once for all columns. */
export function addColumn(sums: Float64Array, factor: number, column: Float64Array): void {
  for (let i = 0; i < sums.length; i++) sums[i]! += factor * column[i]!;
}

/** Elementwise. A function of its own, so that it is compiled once for all. */
export function product(a: Float64Array, b: Float64Array): Float64Array {
  const products = new Float64Array(a.length);
  for (let i = 0; i < products.length; i++) products[i] = a[i]! * b[i]!;
  return products;
}

/**
 * Adds factor * (value - centre) to every sum, in place. A separate function, so that it is compiled once for all
 * columns.
 */
export function addTimes(sums: Float64Array, values: Float64Array, factor: number, centre = 0): void {
  if (factor !== 0) for (let i = 0; i < sums.length; i++) sums[i]! += factor * (values[i]! - centre);
}

/** The product A v, with A row-major. */
export function times(A: Float64Array, v: Vector): Vector {
  const product = new Float64Array(v.length);
  for (let i = 0, at = 0; i < v.length; i++) {
    let sum = 0;
    for (let j = 0; j < v.length; j++) sum += A[at++]! * v[j]!;
    product[i] = sum;
  }
  return product;
}

/** For arrays of any length: Math.max(...values) overflows the stack at about a hundred thousand arguments. */
export const largestOf = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, value), -Infinity);
