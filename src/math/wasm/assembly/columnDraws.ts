/**
 * The arithmetic of columnDraws.ts in AssemblyScript: xoshiro256++ of Blackman and Vigna (2019), and whole columns of
 * draws from it.
 */

/** Written by ../../columnDraws.ts, in this order. */
@unmanaged
class Stream {
  a: u64;
  b: u64;
  c: u64;
  d: u64;
}

/** Returns the next word and advances the state. */
export function word(stream: Stream): u32 {
  const word = rotl<u64>(stream.a + stream.d, 23) + stream.a;
  const shifted = stream.b << 17;
  stream.c ^= stream.a;
  stream.d ^= stream.b;
  stream.b ^= stream.c;
  stream.a ^= stream.d;
  stream.c ^= shifted;
  stream.d = rotl<u64>(stream.d, 45);
  return <u32>(word >> 32);
}

/** low + width u for u uniform on the open interval (0, 1), from `out` up to `end`. */
export function uniforms(stream: Stream, out: usize, end: usize, low: f64, width: f64): void {
  let a = stream.a;
  let b = stream.b;
  let c = stream.c;
  let d = stream.d;
  for (; out < end; out += 8) {
    const word = rotl<u64>(a + d, 23) + a;
    const shifted = b << 17;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotl<u64>(d, 45);
    store<f64>(out, low + width * ((<f64>(<i64>(word >> 12)) + 0.5) * 2.220446049250313e-16));
  }
  stream.a = a;
  stream.b = b;
  stream.c = c;
  stream.d = d;
}

/**
 * Normal draws by the ziggurat of normal.ts, whose steps and edges are at `steps` and `edges`: up to `end`, or until a
 * candidate that its layer does not decide. In that case the layer is written to `open`, the candidate to `out`, and
 * the address of the latter is returned.
 */
export function normals(
  stream: Stream,
  out: usize,
  end: usize,
  deviation: f64,
  steps: usize,
  edges: usize,
  open: usize,
): usize {
  let a = stream.a;
  let b = stream.b;
  let c = stream.c;
  let d = stream.d;
  for (; out < end; out += 8) {
    const word = rotl<u64>(a + d, 23) + a;
    const shifted = b << 17;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotl<u64>(d, 45);
    const layer = <usize>word & 0xff;
    const x = (<f64>(<i64>word >> 11) + 0.5) * load<f64>(steps + (layer << 3));
    if (abs(x) < load<f64>(edges + (layer << 3), 8)) {
      store<f64>(out, deviation * x);
      continue;
    }
    store<f64>(out, x);
    store<f64>(open, <f64>layer);
    break;
  }
  stream.a = a;
  stream.b = b;
  stream.c = c;
  stream.d = d;
  return out;
}

/** Adds factor * column to the values at `out`, up to `end`. */
export function addScaled(column: usize, out: usize, end: usize, factor: f64): void {
  const factors = f64x2.splat(factor);
  for (; out + 8 < end; out += 16, column += 16) {
    v128.store(out, f64x2.add(v128.load(out), f64x2.mul(v128.load(column), factors)));
  }
  if (out < end) store<f64>(out, load<f64>(out) + load<f64>(column) * factor);
}

/**
 * Adds draws of Student's t to the values at `out`, up to `end`: normals divided by the root mean square of `degrees`
 * others.
 */
export function addStudentT(normals: usize, squares: usize, out: usize, end: usize, degrees: f64): void {
  for (; out < end; out += 8, normals += 8, squares += 8) {
    store<f64>(out, load<f64>(out) + load<f64>(normals) / sqrt(load<f64>(squares) / degrees));
  }
}

export function addSquares(column: usize, out: usize, end: usize): void {
  for (; out < end; out += 8, column += 8) {
    const x = load<f64>(column);
    store<f64>(out, load<f64>(out) + x * x);
  }
}
