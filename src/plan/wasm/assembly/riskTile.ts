/**
 * The arithmetic of ../../riskTile.ts in AssemblyScript. Rows go two at a time; columns go in pairs, so that a value that was loaded takes part in
 * two products.
 */

const COLUMN_BYTES: usize = 1024 * 8 + 64;

/** Written by ../../riskTile.ts, in this order. */
@unmanaged
class Job {
  /** Pairs of columns. */
  pairs: usize;
  columns: usize;
  /** One coefficient per column. */
  theta: usize;
  /** One number per row each. */
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

export function score(job: Job, rows: usize): void {
  const end = rows * 8;
  for (let i: usize = 0; i < end; i += 16) v128.store(job.scores + i, f64x2.splat(0));
  for (let pair: usize = 0; pair < job.pairs; pair++) {
    const a = v128.load64_splat(job.theta + pair * 16);
    const b = v128.load64_splat(job.theta + pair * 16, 8);
    const column = job.columns + pair * 2 * COLUMN_BYTES;
    for (let i: usize = 0; i < end; i += 16) {
      const both = f64x2.add(
        f64x2.mul(v128.load(column + i), a),
        f64x2.mul(v128.load(column + i, COLUMN_BYTES), b),
      );
      v128.store(job.scores + i, f64x2.add(v128.load(job.scores + i), both));
    }
  }
}

export function addDerivatives(job: Job, rows: usize): void {
  let moments = job.moments;
  for (let pair: usize = 0; pair < job.pairs; pair++) {
    const column = job.columns + pair * 2 * COLUMN_BYTES;
    scale(job, column, job.scaled, job.sums + pair * 16, rows);
    scale(job, column + COLUMN_BYTES, job.scaled + COLUMN_BYTES, job.sums + pair * 16 + 8, rows);
    for (let other: usize = 0; other <= pair; other++, moments += 32) {
      addMoments(moments, job.scaled, job.columns + other * 2 * COLUMN_BYTES, rows);
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

function addMoments(moments: usize, left: usize, right: usize, rows: usize): void {
  let a = f64x2.splat(0);
  let b = a;
  let c = a;
  let d = a;
  for (const end = left + rows * 8; left < end; left += 16, right += 16) {
    const one = v128.load(left);
    const two = v128.load(left, COLUMN_BYTES);
    const three = v128.load(right);
    const four = v128.load(right, COLUMN_BYTES);
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

function add(sum: usize, both: v128): void {
  store<f64>(sum, load<f64>(sum) + f64x2.extract_lane(both, 0) + f64x2.extract_lane(both, 1));
}
