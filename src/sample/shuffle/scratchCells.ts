import { tmpdir } from 'node:os';
import { sharedMemory } from '../../math/wasm/webAssembly.ts';
import { columnArena, type Slot } from '../arena.ts';
import { linePlaces } from '../kernelRegion.ts';
import { rowsBetween, type SampleBatch } from '../sampleBatch.ts';
import { type CellLayout, type Cells, cellRows } from './cells.ts';
import { gatheredReads } from './gatheredReads.ts';
import { openScratchFile, writeAll } from './scratchFile.ts';
import { settled } from './settled.ts';

/** The size of a batch, and of a call that reads part of it: two calls keep two threads busy. */
const BATCH_BYTES = 2 ** 23;
const READ_BYTES = 2 ** 22;

/**
 * Cells in a temporary file, row by row: frames of rows are written as they fill (`cellFrames`), and reading the cells
 * means reading the file from front to back and turning rows into columns again. The file leaves nothing behind
 * (scratchFile.ts).
 */
export async function scratchCells(layout: CellLayout, folder = tmpdir()): Promise<Cells> {
  const { sizes, features, weighted } = layout;
  const width = features + (weighted ? 2 : 1);
  const rowBytes = 8 * width;
  const rows = sizes.reduce((sum, size) => sum + size, 0);
  const file = await openScratchFile(rows * rowBytes, folder);
  const frames = cellFrames(layout, (bytes, position) => writeAll(file.fd, bytes, position, folder));
  const batchRows = 8 * Math.max(1, Math.floor(BATCH_BYTES / (8 * rowBytes)));

  let given = false;
  return {
    add(batch, cell) {
      given ||= batch.weights !== undefined;
      frames.add(batch, cell);
    },
    async *batches() {
      frames.flush();
      const readAt = gatheredReads(file);
      // The caller uses one slot; the other one's memory receives the next rows as stored in the file.
      const { memory, slots } = columnArena({ features, capacity: batchRows, slots: 2, weights: weighted });
      const [slot, other] = slots as [Slot, Slot];
      const { toColumns } = cellRows(memory);
      const first = slot.columns[0]!.byteOffset;
      const columnBytes = slot.target.byteOffset - slot.columns.at(-1)!.byteOffset;
      const raw = new Uint8Array(memory.buffer, other.columns[0]!.byteOffset, batchRows * rowBytes);
      const all: SampleBatch = {
        rows: batchRows,
        columns: slot.columns,
        target: slot.target,
        ...(given && { weights: slot.weights }),
      };
      const read = async ({ row, count }: Stretch): Promise<void> => {
        const wishes: Promise<void>[] = [];
        for (let from = 0; from < count * rowBytes; from += READ_BYTES) {
          const part = raw.subarray(from, Math.min(count * rowBytes, from + READ_BYTES));
          wishes.push(readAt(part, row * rowBytes + from));
        }
        await settled(wishes);
      };

      // One batch ahead, as from a file.
      let ahead: Promise<void> | undefined;
      const ways = [...stretches(sizes, batchRows)];
      try {
        for (const [k, { count }] of ways.entries()) {
          await (ahead ?? read(ways[k]!));
          toColumns(raw.byteOffset, width, first, columnBytes, count);
          ahead = k + 1 < ways.length ? read(ways[k + 1]!) : undefined;
          // If the caller leaves the loop, this is never awaited; its failure must not be reported as unhandled.
          ahead?.catch(() => {});
          yield rowsBetween(all, 0, count);
        }
      } finally {
        await ahead?.catch(() => {});
      }
    },
    close: () => file.close(),
  };
}

interface Stretch {
  readonly row: number;
  readonly count: number;
}

/** The rows of all cells, one cell after another, `most` at a time. */
function* stretches(sizes: readonly number[], most: number): Generator<Stretch> {
  let start = 0;
  for (const size of sizes) {
    for (let row = 0; row < size; row += most) yield { row: start + row, count: Math.min(most, size - row) };
    start += size;
  }
}

/** Must be done with the bytes when it returns. */
export type WriteAt = (bytes: Uint8Array, position: number) => void;

/** Shorter system calls cost more per byte, up to about this length. */
const FRAME_BYTES = 2 ** 18;
/** The memory limit for all frames; many cells get smaller frames. */
const BUFFER_BYTES = 2 ** 26;
/** The size of the rows distributed in one call, small enough to stay in cache. */
const PIECE_BYTES = 2 ** 18;

/**
 * Rows on their way to cells in a file. A cell's rows are collected in a frame, and a full frame is written after the
 * cell's earlier ones. Rows keep their order within a cell, and cells are adjacent because their sizes are known.
 *
 * Frames hold whole rows rather than columns: that makes one stream of stores per cell, which the cache can handle, and
 * a frame is one part of one call. Writing from other threads was tried on two busy cores, where it took half as long
 * again as writing directly; on idle cores it was not measured.
 */
export function cellFrames({ sizes, features, weighted }: CellLayout, writeAt: WriteAt) {
  const cells = sizes.length;
  const width = features + (weighted ? 2 : 1);
  const rowBytes = 8 * width;
  const pieceRows = Math.max(16, Math.min(1024, Math.floor(PIECE_BYTES / rowBytes)));
  const frameRows = Math.max(1, Math.floor(Math.min(FRAME_BYTES, BUFFER_BYTES / cells) / rowBytes));
  const frameBytes = frameRows * rowBytes;

  const { take, end } = linePlaces(64);
  const columnBytes = 8 * pieceRows + 64;
  const piece = take(width * columnBytes);
  const ownerPlace = take(4 * pieceRows);
  const tailPlace = take(4 * cells);
  const endPlace = take(4 * cells);
  const frames = Array.from(sizes, () => take(frameBytes));
  const pages = Math.ceil(end() / 2 ** 16);
  const memory = sharedMemory(pages);
  const job = 0;
  new Uint32Array(memory.buffer, job).set([width, piece, columnBytes, ownerPlace, tailPlace, endPlace]);
  const columns = Array.from(
    { length: width },
    (_, j) => new Float64Array(memory.buffer, piece + j * columnBytes, pieceRows),
  );
  const owners = new Uint32Array(memory.buffer, ownerPlace, pieceRows);
  const tails = new Uint32Array(memory.buffer, tailPlace, cells);
  const ends = new Uint32Array(memory.buffer, endPlace, cells);
  tails.set(frames);
  ends.set(frames.map(frame => frame + frameBytes));
  const { spread } = cellRows(memory);

  const positions = new Float64Array(cells);
  sizes.reduce((start, size, cell) => {
    positions[cell] = start * rowBytes;
    return start + size;
  }, 0);
  const write = (cell: number): void => {
    const frame = frames[cell]!;
    const bytes = new Uint8Array(memory.buffer, frame, tails[cell]! - frame);
    writeAt(bytes, positions[cell]!);
    positions[cell]! += bytes.length;
    tails[cell] = frame;
  };

  return {
    /** As in `Cells`. */
    add(batch: SampleBatch, cell: Uint32Array): void {
      const own = [...batch.columns, batch.target, ...(batch.weights === undefined ? [] : [batch.weights])];
      for (let start = 0; start < batch.rows; start += pieceRows) {
        const count = Math.min(pieceRows, batch.rows - start);
        columns.forEach((column, j) => {
          if (own[j] === undefined) column.fill(1);
          else column.set(own[j].subarray(start, start + count));
        });
        owners.set(cell.subarray(start, start + count));
        for (let row = 0; row < count; ) {
          row = spread(job, row, count);
          const last = owners[row - 1]!;
          if (tails[last] === ends[last]) write(last);
        }
      }
    },
    /** Writes the rows still in frames. */
    flush(): void {
      for (const [cell, frame] of frames.entries()) if (tails[cell]! > frame) write(cell);
    },
  };
}
