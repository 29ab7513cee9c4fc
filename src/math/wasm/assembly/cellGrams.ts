/**
 * The arithmetic of ../../cellGrams.ts in AssemblyScript: the sums over a cell's rows of weight * z z', for many cells
 * at a time.
 *
 * Rows arrive column by column and are copied, minus the shifts, row by row to the group of their cell. A full group is
 * added to the cell's moments in tiles of two coordinates by eight, whose sums stay in registers meanwhile, so a moment
 * is loaded and stored once per group. Every sum adds the rows of its cell in order, so it does not depend on how they
 * were divided into pieces.
 *
 * Coordinates are processed in pairs. The moments of a pair with each pair up to itself are four numbers: two rows of
 * two.
 */

const PIECE_ROWS: usize = 1024;
const COLUMN_BYTES: usize = PIECE_ROWS * 8 + 64;
const GROUP_ROWS: usize = 8;

/** Written by ../../cellGrams.ts, in this order. */
@unmanaged
class Job {
  /** The number of pairs of coordinates of z. */
  pairs: usize;
  cells: usize;
  /** One column per coordinate, then one of weights. */
  piece: usize;
  /** The value subtracted from each coordinate. */
  shifts: usize;
  /** The cell of each row of the piece; a row without a valid cell is skipped. */
  owners: usize;
  /** Scratch for a group. */
  scaled: usize;
  /** Per cell: the number of rows in its group, in 16 bytes, their weights, the group, and the moments. */
  records: usize;
  recordBytes: usize;
}

const WEIGHTS: usize = 16;
const GROUP: usize = WEIGHTS + GROUP_ROWS * 8;

/** The moments of two coordinates with up to four pairs. */
@unmanaged
class Tile {
  /**
   * Takes rows of `rowBytes`: the two coordinates from `left` on, `pairs` pairs from `right` on. With a constant for
   * `pairs` there is no branch in the loop.
   */
  @inline
  add(pairs: i32, left: usize, right: usize, rowBytes: usize, rows: usize): void {
    const moments = changetype<usize>(this);
    let a = v128.load(moments);
    let b = v128.load(moments, 16);
    let c = a;
    let d = a;
    let e = a;
    let f = a;
    let g = a;
    let h = a;
    if (pairs > 1) {
      c = v128.load(moments, 32);
      d = v128.load(moments, 48);
    }
    if (pairs > 2) {
      e = v128.load(moments, 64);
      f = v128.load(moments, 80);
    }
    if (pairs > 3) {
      g = v128.load(moments, 96);
      h = v128.load(moments, 112);
    }
    for (const end = left + rows * rowBytes; left < end; left += rowBytes, right += rowBytes) {
      const one = v128.load64_splat(left);
      const two = v128.load64_splat(left, 8);
      let other = v128.load(right);
      a = f64x2.add(a, f64x2.mul(one, other));
      b = f64x2.add(b, f64x2.mul(two, other));
      if (pairs > 1) {
        other = v128.load(right, 16);
        c = f64x2.add(c, f64x2.mul(one, other));
        d = f64x2.add(d, f64x2.mul(two, other));
      }
      if (pairs > 2) {
        other = v128.load(right, 32);
        e = f64x2.add(e, f64x2.mul(one, other));
        f = f64x2.add(f, f64x2.mul(two, other));
      }
      if (pairs > 3) {
        other = v128.load(right, 48);
        g = f64x2.add(g, f64x2.mul(one, other));
        h = f64x2.add(h, f64x2.mul(two, other));
      }
    }
    v128.store(moments, a);
    v128.store(moments, b, 16);
    if (pairs > 1) {
      v128.store(moments, c, 32);
      v128.store(moments, d, 48);
    }
    if (pairs > 2) {
      v128.store(moments, e, 64);
      v128.store(moments, f, 80);
    }
    if (pairs > 3) {
      v128.store(moments, g, 96);
      v128.store(moments, h, 112);
    }
  }
}

/** Adds the first `rows` rows of the piece. */
export function addRows(job: Job, rows: usize): void {
  const rowBytes = job.pairs * 16;
  const weights = job.piece + job.pairs * 2 * COLUMN_BYTES;
  for (let i: usize = 0; i < rows; i++) {
    const cell: usize = load<u32>(job.owners + i * 4);
    if (cell >= job.cells) continue;
    const record = job.records + cell * job.recordBytes;
    const held: usize = load<u32>(record);
    store<f64>(record + held * 8, load<f64>(weights + i * 8), WEIGHTS);
    let row = record + GROUP + held * rowBytes;
    let from = job.piece + i * 8;
    let shift = job.shifts;
    for (const end = row + rowBytes; row < end; row += 16, from += 2 * COLUMN_BYTES, shift += 16) {
      const pair = v128.load_lane<f64>(from, v128.load64_zero(from), 1, COLUMN_BYTES);
      v128.store(row, f64x2.sub(pair, v128.load(shift)));
    }
    if (held + 1 < GROUP_ROWS) {
      store<u32>(record, <u32>(held + 1));
    } else {
      store<u32>(record, 0);
      addGroup(job, record, GROUP_ROWS);
    }
  }
}

/** Adds the rows still in the groups. */
export function addGroups(job: Job): void {
  for (let cell: usize = 0; cell < job.cells; cell++) {
    const record = job.records + cell * job.recordBytes;
    addGroup(job, record, load<u32>(record));
    store<u32>(record, 0);
  }
}

function addGroup(job: Job, record: usize, rows: usize): void {
  const rowBytes = job.pairs * 16;
  const group = record + GROUP;
  const weighted = scale(job, record, rows);
  let moments = group + GROUP_ROWS * rowBytes;
  for (let pair: usize = 0; pair < job.pairs; pair++) {
    const left = weighted + pair * 16;
    let right = group;
    let count = pair + 1;
    for (; count >= 4; count -= 4, right += 64, moments += 128)
      changetype<Tile>(moments).add(4, left, right, rowBytes, rows);
    if (count === 3) changetype<Tile>(moments).add(3, left, right, rowBytes, rows);
    else if (count === 2) changetype<Tile>(moments).add(2, left, right, rowBytes, rows);
    else if (count === 1) changetype<Tile>(moments).add(1, left, right, rowBytes, rows);
    moments += count * 32;
  }
}

/** The rows of the group times their weights: the group itself if all weights are 1. */
function scale(job: Job, record: usize, rows: usize): usize {
  const rowBytes = job.pairs * 16;
  const group = record + GROUP;
  let ones: usize = 0;
  while (ones < rows && load<f64>(record + ones * 8, WEIGHTS) === 1) ones++;
  if (ones === rows) return group;
  let to = job.scaled;
  let from = group;
  for (let r: usize = 0; r < rows; r++) {
    const weight = v128.load64_splat(record + r * 8, WEIGHTS);
    for (const end = from + rowBytes; from < end; from += 16, to += 16)
      v128.store(to, f64x2.mul(v128.load(from), weight));
  }
  return job.scaled;
}
