import { sharedMemory } from '../../math/wasm/webAssembly.ts';
import { linePlaces } from '../kernelRegion.ts';
import type { SampleBatch } from '../sampleBatch.ts';
import { type CellLayout, cellRows } from './cells.ts';

export interface CellFrames {
  /** As in `Cells`. */
  add(batch: SampleBatch, cell: Uint32Array): void;
  /** Writes the rows still in frames. */
  flush(): void;
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
export function cellFrames({ sizes, features, weighted }: CellLayout, writeAt: WriteAt): CellFrames {
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
    add(batch, cell) {
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
    flush() {
      for (const [cell, frame] of frames.entries()) if (tails[cell]! > frame) write(cell);
    },
  };
}
