/**
 * The arithmetic of ../../riskTile.ts in AssemblyScript. Rows go two at a time; columns go in pairs, so that a value
 * that was loaded takes part in two products.
 */

const ROOM_BYTES: usize = 1024 * 8 + 64;

/** Written by ../../riskTile.ts, in this order. */
@unmanaged
class Job {
  /** Columns of features, and the bytes from one to the next. */
  features: usize;
  stride: usize;
  columns: usize;
  /**
   * The columns behind them, which are the same in every tile: ones for the intercept where there is one, then zeros.
   */
  constants: usize;
  /** Pairs of columns of both kinds. */
  pairs: usize;
  /** One coefficient per column. */
  theta: usize;
  /** One number per row of the tile each. */
  targets: usize;
  weights: usize;
  scores: usize;
  slopes: usize;
  bends: usize;
  /** Room for a pair of columns. */
  scaled: usize;
  /** One number per column, */
  sums: usize;
  /** and per pair with each pair up to itself, four numbers: two rows of two. */
  moments: usize;
}

/** Losses, as in ../../riskTile.ts. */
const PSEUDO_HUBER: u32 = 1;
const GEMAN_MCCLURE: u32 = 2;
const TUKEY: u32 = 3;

/** Where the tile has column j, if its first row lies `start` bytes behind the first of all. */
function columnOf(job: Job, j: usize, start: usize): usize {
  return j < job.features ? job.columns + j * job.stride + start : job.constants + (j - job.features) * ROOM_BYTES;
}

export function score(job: Job, start: usize, rows: usize): void {
  const end = rows * 8;
  const scores = job.scores;
  for (let i: usize = 0; i < end; i += 16) v128.store(scores + i, f64x2.splat(0));
  for (let pair: usize = 0; pair < job.pairs; pair++) {
    const a = v128.load64_splat(job.theta + pair * 16);
    const b = v128.load64_splat(job.theta + pair * 16, 8);
    // Rows of a triangular matrix are scored too.
    if (!v128.any_true(v128.load(job.theta + pair * 16))) continue;
    const left = columnOf(job, 2 * pair, start);
    const right = columnOf(job, 2 * pair + 1, start);
    for (let i: usize = 0; i < end; i += 16) {
      const both = f64x2.add(f64x2.mul(v128.load(left + i), a), f64x2.mul(v128.load(right + i), b));
      v128.store(scores + i, f64x2.add(v128.load(scores + i), both));
    }
  }
}

/**
 * Slopes and bends of rows that have scores, and the sum of their losses. With r = score - target and u = r/q,
 *
 *   squared         value = r^2/2            slope = r                   bend = 1
 *   pseudo-Huber    value = r^2 h/(1 + h)    slope = r h                 bend = h^3                   h = 1/sqrt(1 + u^2)
 *   Geman-McClure   value = q^2 u^2 k/2      slope = r k^2               bend = (1 - 3 u^2) k^3       k = 1/(1 + u^2)
 *   Tukey           value = q^2 (1 - h^3)/6  slope = r h^2               bend = h (1 - 5 u^2)         h = 1 - min(1, u^2)
 *
 * all times the rows' weights. Where rows are to be weighted anew, the bend is slope/r.
 */
export function derive(job: Job, loss: u32, q: f64, reweighted: bool, rows: usize): f64 {
  const one = f64x2.splat(1);
  const half = f64x2.splat(0.5);
  let sum = f64x2.splat(0);
  for (let i: usize = 0, end = rows * 8; i < end; i += 16) {
    const weight = v128.load(job.weights + i);
    const r = f64x2.sub(v128.load(job.scores + i), v128.load(job.targets + i));
    const u = f64x2.div(r, f64x2.splat(q));
    // What overflows would make the products below NaN.
    const square = f64x2.min(f64x2.mul(u, u), f64x2.splat(1e300));
    let value = f64x2.mul(f64x2.mul(r, r), half);
    let share = one;
    let bend = one;
    if (loss === PSEUDO_HUBER) {
      share = f64x2.div(one, f64x2.sqrt(f64x2.add(one, square)));
      bend = f64x2.mul(share, f64x2.mul(share, share));
      value = f64x2.div(f64x2.mul(r, f64x2.mul(r, share)), f64x2.add(one, share));
    } else if (loss === GEMAN_MCCLURE) {
      const k = f64x2.div(one, f64x2.add(one, square));
      share = f64x2.mul(k, k);
      bend = f64x2.mul(f64x2.mul(f64x2.sub(one, f64x2.mul(f64x2.splat(3), square)), k), share);
      value = f64x2.mul(f64x2.splat(q * q), f64x2.mul(f64x2.mul(square, k), half));
    } else if (loss === TUKEY) {
      const s = f64x2.min(square, one);
      const h = f64x2.sub(one, s);
      share = f64x2.mul(h, h);
      bend = f64x2.mul(h, f64x2.sub(one, f64x2.mul(f64x2.splat(5), s)));
      // s (3 - s (3 - s)) is 1 - h^3 with all its digits.
      const rest = f64x2.sub(f64x2.splat(3), f64x2.mul(s, f64x2.sub(f64x2.splat(3), s)));
      value = f64x2.mul(f64x2.splat((q * q) / 6), f64x2.mul(s, rest));
    }
    v128.store(job.slopes + i, f64x2.mul(weight, f64x2.mul(r, share)));
    v128.store(job.bends + i, f64x2.mul(weight, reweighted ? share : bend));
    sum = f64x2.add(sum, f64x2.mul(weight, value));
  }
  return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
}

export function addDerivatives(job: Job, start: usize, rows: usize): void {
  const left = job.scaled;
  const right = left + ROOM_BYTES;
  let moments = job.moments;
  for (let pair: usize = 0; pair < job.pairs; pair++) {
    scale(job, columnOf(job, 2 * pair, start), left, job.sums + pair * 16, rows);
    scale(job, columnOf(job, 2 * pair + 1, start), right, job.sums + pair * 16 + 8, rows);
    for (let other: usize = 0; other <= pair; other++, moments += 32) {
      addMoments(moments, left, columnOf(job, 2 * other, start), columnOf(job, 2 * other + 1, start), rows);
    }
  }
}

/** Writes a column times the bends, and adds its product with the slopes to a sum. */
function scale(job: Job, column: usize, into: usize, sum: usize, rows: usize): void {
  let both = f64x2.splat(0);
  for (let i: usize = 0, end = rows * 8; i < end; i += 16) {
    const values = v128.load(column + i);
    v128.store(into + i, f64x2.mul(values, v128.load(job.bends + i)));
    both = f64x2.add(both, f64x2.mul(values, v128.load(job.slopes + i)));
  }
  add(sum, both);
}

/** The pair of columns at `scaled` times those at `left` and `right`. */
function addMoments(moments: usize, scaled: usize, left: usize, right: usize, rows: usize): void {
  let a = f64x2.splat(0);
  let b = a;
  let c = a;
  let d = a;
  for (const end = left + rows * 8; left < end; left += 16, right += 16, scaled += 16) {
    const one = v128.load(scaled);
    const two = v128.load(scaled, ROOM_BYTES);
    const three = v128.load(left);
    const four = v128.load(right);
    a = f64x2.add(a, f64x2.mul(one, three));
    b = f64x2.add(b, f64x2.mul(one, four));
    c = f64x2.add(c, f64x2.mul(two, three));
    d = f64x2.add(d, f64x2.mul(two, four));
  }
  add(moments, a);
  add(moments + 8, b);
  add(moments + 16, c);
  add(moments + 24, d);
}

/**
 * Of rows that have slopes and bends, and two more numbers each where a pair of columns has room, d^2 and the slope of
 * another loss: adds slope * x to the sums, and to the first three moments bend * d^2, slope^2 d^2 and slope * other *
 * d^2.
 */
export function addInfluences(job: Job, start: usize, rows: usize): void {
  const squares = job.scaled;
  let bends = f64x2.splat(0);
  let own = bends;
  let mixed = bends;
  for (let i: usize = 0, end = rows * 8; i < end; i += 16) {
    const slope = v128.load(job.slopes + i);
    const square = v128.load(squares + i);
    const weighted = f64x2.mul(slope, square);
    bends = f64x2.add(bends, f64x2.mul(v128.load(job.bends + i), square));
    own = f64x2.add(own, f64x2.mul(weighted, slope));
    mixed = f64x2.add(mixed, f64x2.mul(weighted, v128.load(squares + i, ROOM_BYTES)));
  }
  add(job.moments, bends);
  add(job.moments + 8, own);
  add(job.moments + 16, mixed);
  for (let pair: usize = 0; pair < job.pairs; pair++) {
    addProducts(
      job.sums + pair * 16,
      columnOf(job, 2 * pair, start),
      columnOf(job, 2 * pair + 1, start),
      job.slopes,
      rows,
    );
  }
}

/** Both columns times the slopes. */
function addProducts(sums: usize, left: usize, right: usize, slopes: usize, rows: usize): void {
  let a = f64x2.splat(0);
  let b = a;
  for (const end = left + rows * 8; left < end; left += 16, right += 16, slopes += 16) {
    const slope = v128.load(slopes);
    a = f64x2.add(a, f64x2.mul(slope, v128.load(left)));
    b = f64x2.add(b, f64x2.mul(slope, v128.load(right)));
  }
  add(sums, a);
  add(sums + 8, b);
}

/** Adds the squares of the scores to those of the rows so far, which lie at the slopes. */
export function addSquares(job: Job, rows: usize): void {
  for (let i: usize = 0, end = rows * 8; i < end; i += 16) {
    const scores = v128.load(job.scores + i);
    v128.store(job.slopes + i, f64x2.add(v128.load(job.slopes + i), f64x2.mul(scores, scores)));
  }
}

function add(sum: usize, both: v128): void {
  store<f64>(sum, load<f64>(sum) + f64x2.extract_lane(both, 0) + f64x2.extract_lane(both, 1));
}

/** How many of the values are below a bound. */
export function countBelow(values: usize, rows: usize, bound: f64): usize {
  let count: usize = 0;
  for (const end = values + rows * 8; values < end; values += 8) count += usize(load<f64>(values) < bound);
  return count;
}

/** Moves the values from `low` to `high` to the front, in their order, and says how many there are. */
export function gather(values: usize, rows: usize, low: f64, high: f64): usize {
  const first = values;
  let place = values;
  for (const end = values + rows * 8; values < end; values += 8) {
    const value = load<f64>(values);
    // Written in any case, and over again unless it counts: chance is what a branch would guess worst.
    store<f64>(place, value);
    place += usize((value >= low) & (value <= high)) << 3;
  }
  return (place - first) >> 3;
}
