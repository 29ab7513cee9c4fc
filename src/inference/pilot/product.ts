/** Elementwise. A function of its own, so that it is compiled once for all. */
export function product(a: Float64Array, b: Float64Array): Float64Array {
  const products = new Float64Array(a.length);
  for (let i = 0; i < products.length; i++) products[i] = a[i]! * b[i]!;
  return products;
}
