import { tmpdir } from 'node:os';
import { columnArena, type Slot } from '../arena.ts';
import { rowsBetween, type SampleBatch } from '../sampleBatch.ts';
import { cellFrames } from './cellFrames.ts';
import { type CellLayout, type Cells, cellRows } from './cells.ts';
import { gatheredReads } from './gatheredReads.ts';
import { openScratchFile, writeAll } from './scratchFile.ts';
import { settled } from './settled.ts';

/** The size of a batch, and of a call that reads part of it: two calls keep two threads busy. */
const BATCH_BYTES = 2 ** 23;
const READ_BYTES = 2 ** 22;

/**
 * Cells in a temporary file, row by row: frames of rows are written as they fill (cellFrames.ts), and reading the cells
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

  return {
    add: frames.add,
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
        ...(weighted ? { weights: slot.weights } : {}),
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
