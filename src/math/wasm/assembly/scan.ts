/** A scan over a column in AssemblyScript, at memory bandwidth. */

/**
 * Whether all of `count` doubles are finite. A finite value times 0 is 0, and nothing else is. There are four sums, so
 * that none waits for another.
 */
export function allFinite(address: usize, count: usize): bool {
  const zero = f64x2.splat(0);
  let a = zero;
  let b = zero;
  let c = zero;
  let d = zero;
  const end = address + 8 * count;
  const whole = address + 64 * (count / 8);
  for (; address < whole; address += 64) {
    a = f64x2.add(a, f64x2.mul(v128.load(address), zero));
    b = f64x2.add(b, f64x2.mul(v128.load(address, 16), zero));
    c = f64x2.add(c, f64x2.mul(v128.load(address, 32), zero));
    d = f64x2.add(d, f64x2.mul(v128.load(address, 48), zero));
  }
  const lanes = f64x2.add(f64x2.add(a, b), f64x2.add(c, d));
  let sum = f64x2.extract_lane(lanes, 0) + f64x2.extract_lane(lanes, 1);
  for (; address < end; address += 8) sum += load<f64>(address) * 0;
  return sum === 0;
}
