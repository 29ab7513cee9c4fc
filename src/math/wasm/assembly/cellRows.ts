/**
 * The data movement of sample/shuffle/scratchCells.ts in AssemblyScript: from columns to rows in the
 * frames of their cells, and back.
 */

/** Written by `cellFrames` there, in this order. */
@unmanaged
class Job {
  width: usize;
  /** Columns of the rows to distribute, and the number of bytes from one to the next. */
  columns: usize;
  columnBytes: usize;
  /** The cell of each row. */
  owners: usize;
  /** Per cell, the address of its next row, and of the end of its frame. */
  tails: usize;
  ends: usize;
}

/** Distributes rows from `first` on until a frame is full or all are done, and returns the next row. */
export function spread(job: Job, first: usize, count: usize): usize {
  const columnBytes = job.columnBytes;
  const pairBytes = (job.width >> 1) * 16;
  while (first < count) {
    const cell = <usize>load<u32>(job.owners + first * 4) * 4;
    let to: usize = load<u32>(job.tails + cell);
    let from = job.columns + first * 8;
    for (const end = to + pairBytes; to < end; to += 16, from += 2 * columnBytes)
      v128.store(to, v128.load_lane<f64>(from + columnBytes, v128.load64_zero(from), 1));
    if (job.width & 1) {
      store<f64>(to, load<f64>(from));
      to += 8;
    }
    store<u32>(job.tails + cell, <u32>to);
    first++;
    if (to === <usize>load<u32>(job.ends + cell)) break;
  }
  return first;
}

/** Turns rows into columns, `columnBytes` apart, in groups of eight rows. */
export function toColumns(rows: usize, width: usize, columns: usize, columnBytes: usize, count: usize): void {
  const rowBytes = width * 8;
  for (let i: usize = 0; i < count; i += 8, rows += 8 * rowBytes, columns += 64) {
    let from = rows;
    let to = columns;
    for (const end = rows + (width >> 1) * 16; from < end; from += 16, to += 2 * columnBytes) {
      twoRows(from, rowBytes, to, columnBytes);
      twoRows(from + 2 * rowBytes, rowBytes, to + 16, columnBytes);
      twoRows(from + 4 * rowBytes, rowBytes, to + 32, columnBytes);
      twoRows(from + 6 * rowBytes, rowBytes, to + 48, columnBytes);
    }
    if (width & 1) for (let r: usize = 0; r < 8; r++) store<f64>(to + r * 8, load<f64>(from + r * rowBytes));
  }
}

function twoRows(from: usize, rowBytes: usize, to: usize, columnBytes: usize): void {
  const one = v128.load(from);
  const two = v128.load(from + rowBytes);
  v128.store(to, i64x2.shuffle(one, two, 0, 2));
  v128.store(to + columnBytes, i64x2.shuffle(one, two, 1, 3));
}
