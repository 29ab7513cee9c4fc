/**
 * The arithmetic of sample/shuffle/rowCells.ts in AssemblyScript: the permutation of math/random/permutation.ts, and the cell of each
 * position.
 *
 * Four rows go through the rounds in parallel. The number of rounds until a value is a valid position is random, which
 * defeats branch prediction. So all rows take one round first, and then those that are not there yet, listed without a
 * branch.
 */

/** Written by ../../rowCells.ts, in this order. */
@unmanaged
class Job {
  size: u32;
  halfBits: i32;
  /** Four words. */
  keys: usize;
  /** This power of two of positions share a guess of the cell. */
  strideBits: u32;
  /** The guesses, none later than the first cell of their positions. */
  guesses: usize;
  /** The end of each cell's positions. */
  ends: usize;
  /** Memory for the values of the rows, which become positions, then cells. */
  values: usize;
  /** Memory for the same number of values, and four more. */
  away: usize;

  @inline
  rounds(values: v128): v128 {
    const mask = i32x4.splat((1 << this.halfBits) - 1);
    let left = i32x4.shr_u(values, this.halfBits);
    let right = v128.and(values, mask);
    left = v128.xor(left, v128.and(mix(right, v128.load32_splat(this.keys)), mask));
    right = v128.xor(right, v128.and(mix(left, v128.load32_splat(this.keys, 4)), mask));
    left = v128.xor(left, v128.and(mix(right, v128.load32_splat(this.keys, 8)), mask));
    right = v128.xor(right, v128.and(mix(left, v128.load32_splat(this.keys, 12)), mask));
    return v128.or(i32x4.shl(left, this.halfBits), right);
  }

  /** One bit for each of four values: whether it is not a valid position yet. */
  @inline
  isAway(values: v128): i32 {
    return i32x4.bitmask(i32x4.ge_u(values, i32x4.splat(this.size)));
  }
}

export function findCells(job: Job, first: u32, count: usize): void {
  const values = job.values;
  walk(job, first, count);
  for (let value = values, end = values + count * 4; value < end; value += 4) {
    const place = load<u32>(value);
    let cell = load<u32>(job.guesses + ((<usize>place >> job.strideBits) << 2));
    while (place >= load<u32>(job.ends + ((<usize>cell) << 2))) cell++;
    store<u32>(value, cell);
  }
}

/** Turns the values into the positions of the rows. */
function walk(job: Job, first: u32, count: usize): void {
  const values = job.values;
  const away = job.away;
  const last = i32x4.splat(first + <u32>count - 1);
  let rows = i32x4.add(i32x4.splat(first), i32x4(0, 1, 2, 3));
  let end = away;
  for (let i: usize = 0; i < count * 4; i += 16) {
    // For a row beyond the last, the walk may never get below the size.
    const moved = job.rounds(i32x4.min_u(rows, last));
    v128.store(values + i, moved);
    end = list(end, job.isAway(moved), i, i + 4, i + 8, i + 12);
    rows = i32x4.add(rows, i32x4.splat(4));
  }
  while (end > away) {
    // Values are read in fours: the last is repeated, but listed only once.
    const repeated = load<u32>(end - 4);
    store<u32>(end, repeated);
    store<u32>(end, repeated, 4);
    store<u32>(end, repeated, 8);
    let next = away;
    for (let at = away; at < end; at += 16) {
      const a: usize = load<u32>(at);
      const b: usize = load<u32>(at, 4);
      const c: usize = load<u32>(at, 8);
      const d: usize = load<u32>(at, 12);
      let moved = v128.load32_zero(values + a);
      moved = v128.load_lane<u32>(values + b, moved, 1);
      moved = v128.load_lane<u32>(values + c, moved, 2);
      moved = v128.load_lane<u32>(values + d, moved, 3);
      moved = job.rounds(moved);
      v128.store_lane<u32>(values + a, moved, 0);
      v128.store_lane<u32>(values + b, moved, 1);
      v128.store_lane<u32>(values + c, moved, 2);
      v128.store_lane<u32>(values + d, moved, 3);
      const listed = min<i32>(4, <i32>((end - at) >> 2));
      next = list(next, job.isAway(moved) & ((1 << listed) - 1), a, b, c, d);
    }
    end = next;
  }
}

/** Writes those of the four whose bit is set, and returns the end of the list. */
function list(end: usize, bits: i32, a: usize, b: usize, c: usize, d: usize): usize {
  store<u32>(end, <u32>a);
  end += (bits & 1) << 2;
  store<u32>(end, <u32>b);
  end += (bits & 2) << 1;
  store<u32>(end, <u32>c);
  end += bits & 4;
  store<u32>(end, <u32>d);
  return end + ((bits & 8) >> 1);
}

function mix(value: v128, key: v128): v128 {
  let hash = i32x4.mul(v128.xor(value, key), i32x4.splat(0x85ebca6b));
  hash = i32x4.mul(v128.xor(hash, i32x4.shr_u(hash, 13)), i32x4.splat(0xc2b2ae35));
  return v128.xor(hash, i32x4.shr_u(hash, 16));
}
