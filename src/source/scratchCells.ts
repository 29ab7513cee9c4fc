/**
 * Cells in a temporary file. A cell collects rows in a buffer and writes them as frames of up to 1,024 rows, column by column, into a region of
 * the file that is all its own because its size is known; reading a cell is reading its region from front to back.
 *
 * The file is made in a folder that only its owner can enter and is unlinked as soon as it is open: whatever happens to the process, nothing of
 * the data stays behind. Free space is checked first.
 */
import {
  closeSync,
  mkdtempSync,
  openSync,
  readSync,
  rmdirSync,
  statfsSync,
  unlinkSync,
  writevSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { columnArena } from '../sample/arena.ts';
import type { CellLayout, Cells } from './cells.ts';
import { dataError } from './dataError.ts';

const FRAME_ROWS = 1024;
/** What the cells' buffers may take together; many cells get shorter frames. */
const BUFFER_BYTES = 2 ** 26;

export async function scratchCells(layout: CellLayout, folder = tmpdir()): Promise<Cells> {
  const { sizes, features, weighted } = layout;
  const width = features + (weighted ? 2 : 1);
  const rows = sizes.reduce((sum, size) => sum + size, 0);
  const file = openUnlinked(folder, rows * width * 8);
  const frameRows = Math.max(
    16,
    Math.min(FRAME_ROWS, Math.floor(BUFFER_BYTES / (2 * sizes.length * width * 8))),
  );
  // Twice a frame, so that rows are spread a frame's worth at a time and full cells are written in between.
  const capacity = 2 * frameRows;
  const buffer = new Float64Array(sizes.length * width * capacity);
  const held = new Uint32Array(sizes.length);
  const written = new Float64Array(sizes.length);
  const starts = startsOf(sizes);

  const columnOf = (cell: number, j: number): Float64Array =>
    buffer.subarray((cell * width + j) * capacity, (cell * width + j + 1) * capacity);
  const write = (cell: number, count: number): void => {
    const parts = Array.from({ length: width }, (_, j) => columnOf(cell, j).subarray(0, count));
    writeAll(file, parts, (starts[cell]! + written[cell]!) * width * 8);
    written[cell]! += count;
    held[cell]! -= count;
    for (let j = 0; j < width; j++) columnOf(cell, j).copyWithin(0, count, count + held[cell]!);
  };

  const bases = new Uint32Array(frameRows);
  return {
    add(batch, cell) {
      const ones =
        weighted && batch.weights === undefined ? new Float64Array(batch.rows).fill(1) : batch.weights;
      const columns = [...batch.columns, batch.target, ...(weighted ? [ones!] : [])];
      for (let start = 0; start < batch.rows; start += frameRows) {
        const count = Math.min(frameRows, batch.rows - start);
        for (let i = 0; i < count; i++) {
          const own = cell[start + i]!;
          bases[i] = own * width * capacity + held[own]!++;
        }
        columns.forEach((column, j) => {
          const shift = j * capacity;
          for (let i = 0; i < count; i++) buffer[bases[i]! + shift] = column[start + i]!;
        });
        for (let k = 0; k < sizes.length; k++) if (held[k]! >= frameRows) write(k, frameRows);
      }
    },
    async *batches() {
      for (let k = 0; k < sizes.length; k++) if (held[k]! > 0) write(k, held[k]!);
      const arena = columnArena({ features: width - 1, capacity: frameRows, slots: 1, weights: false });
      const memory = arena.slots[0]!.columns[0]!;
      for (const [cell, size] of sizes.entries()) {
        for (let row = 0; row < size; row += frameRows) {
          const count = Math.min(frameRows, size - row);
          const frame = new Float64Array(memory.buffer, memory.byteOffset, count * width);
          readAll(file, frame, (starts[cell]! + row) * width * 8);
          const columns = Array.from({ length: width }, (_, j) => frame.subarray(j * count, (j + 1) * count));
          yield {
            rows: count,
            columns: columns.slice(0, features),
            target: columns[features]!,
            ...(weighted ? { weights: columns[features + 1]! } : {}),
          };
        }
      }
    },
    close: async () => closeSync(file),
  };
}

function openUnlinked(folder: string, bytes: number): number {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < bytes * 1.05) {
    throw dataError(
      { table: folder },
      `has ${bavail * bsize} bytes free, but shuffling needs ${bytes}`,
      'name a roomier folder with --scratch, or use --order as-is if the rows already come in random order',
    );
  }
  const own = mkdtempSync(join(folder, 'sluice-'));
  const path = join(own, 'rows');
  try {
    const file = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
    return file;
  } finally {
    rmdirSync(own);
  }
}

function startsOf(sizes: readonly number[]): Float64Array {
  const starts = new Float64Array(sizes.length);
  sizes.reduce((start, size, k) => {
    starts[k] = start;
    return start + size;
  }, 0);
  return starts;
}

function writeAll(file: number, parts: readonly Float64Array[], position: number): void {
  const total = parts.reduce((sum, part) => sum + part.byteLength, 0);
  const done = writevSync(file, parts, position);
  if (done !== total) throw new Error(`the temporary file took ${done} of ${total} bytes`);
}

function readAll(file: number, into: Float64Array, position: number): void {
  const done = readSync(file, into, 0, into.byteLength, position);
  if (done !== into.byteLength)
    throw new Error(`the temporary file gave ${done} of ${into.byteLength} bytes`);
}
