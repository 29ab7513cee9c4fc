import type { DataError } from '../../errors.ts';
import type { BatchColumn } from './batch.ts';
import { markMissing, type PlainTexts, type TextSlice, type TextVisitor } from './plain.ts';

/**
 * Texts stored consecutively in buffer 2, from each offset in buffer 1 to the next; offsets take 4 bytes, or 8 in the
 * large type.
 */
export const texts = (offsetBytes: 4 | 8): PlainTexts => ({
  of: 'texts',
  bitsPerRow: 8 * offsetBytes,
  visit: async (column, slice, visit) => {
    const { start, missing, longest } = slice;
    const absent = await markMissing(column, start, missing);
    const [bounds, data] = [await column.buffer(1), await column.buffer(2)];
    const bytes = await bounds.bytes(start * offsetBytes, (missing.length + 1) * offsetBytes);
    const offsets = checkedOffsets(bytes, offsetBytes, data.length, (problem, row) =>
      column.damaged(problem, start + row),
    );
    for (let first = 0, end = 0; first < missing.length; first = end) {
      end = endOfPiece(offsets, first);
      const from = offsets[first]!;
      const length = offsets[end]! - from;
      // A text that fills a piece by itself, and is longer than any that is wanted, is not even read.
      if (length > Math.max(longest, PIECE)) continue;
      visitPiece(await data.bytes(from, length), offsets, first, end, slice, visit);
    }
    return absent;
  },
});

/** The row after the last one whose text is read together with that of row `first`. */
function endOfPiece(offsets: Float64Array, first: number): number {
  let end = first + 1;
  while (end + 1 < offsets.length && offsets[end + 1]! - offsets[first]! <= PIECE) end++;
  return end;
}

/** Separate from the function that awaits: within an async function the loop takes half as long again. */
function visitPiece(
  bytes: Uint8Array,
  offsets: Float64Array,
  first: number,
  end: number,
  { missing, longest }: TextSlice,
  visit: TextVisitor,
): void {
  const base = offsets[first]!;
  for (let row = first; row < end; row++) {
    const from = offsets[row]! - base;
    const to = offsets[row + 1]! - base;
    if (missing[row] === 0 && to - from <= longest) visit(row, bytes, from, to);
  }
}

/** Offsets must increase and stay within the data, even those of nulls. */
function checkedOffsets(
  bytes: Uint8Array,
  size: 4 | 8,
  dataLength: number,
  damaged: (problem: string, row: number) => DataError,
): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const offsets = new Float64Array(bytes.length / size);
  let least = 0;
  for (let i = 0; i < offsets.length; i++) {
    const low = view.getUint32(i * size, true);
    const offset = size === 4 ? low : view.getInt32(i * size + 4, true) * 2 ** 32 + low;
    if (!(offset >= least && offset <= dataLength)) {
      throw damaged(`a text ends at byte ${offset} of ${dataLength}`, Math.max(i - 1, 0));
    }
    offsets[i] = offset;
    least = offset;
  }
  return offsets;
}

/** Bytes of text read at once. */
const PIECE = 2 ** 20;

/**
 * Texts as views of 16 bytes in buffer 1: a length, then the text if it fits, or else its position in the buffers from
 * 2 on.
 */
export const textViews: PlainTexts = {
  of: 'texts',
  bitsPerRow: 128,
  visit: async (column, { start, missing, longest }, visit) => {
    const absent = await markMissing(column, start, missing);
    const bytes = await (await column.buffer(1)).bytes(16 * start, 16 * missing.length);
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const loaded = new Map<number, Uint8Array>();
    for (let row = 0; row < missing.length; row++) {
      const at = 16 * row;
      const length = view.getInt32(at, true);
      if (missing[row] === 1 || length > longest) continue;
      if (length < 0) throw column.damaged(`is a text with a length of ${length} bytes`, start + row);
      if (length <= 12) {
        visit(row, bytes, at + 4, at + 4 + length);
        continue;
      }
      const index = view.getInt32(at + 8, true);
      const from = view.getInt32(at + 12, true);
      const data = loaded.get(index) ?? (await load(column, index, start + row));
      loaded.set(index, data);
      if (!(from >= 0 && from + length <= data.length)) {
        throw column.damaged(`is a text at byte ${from} of ${data.length}`, start + row);
      }
      visit(row, data, from, from + length);
    }
    return absent;
  },
};

/** Views may point anywhere, so a buffer that one points into is read completely. */
async function load(column: BatchColumn, index: number, row: number): Promise<Uint8Array> {
  if (!(index >= 0 && index < column.variadic)) {
    throw column.damaged(`is a text in data buffer ${index} of ${column.variadic}`, row);
  }
  const data = await column.buffer(2 + index);
  return data.bytes(0, data.length);
}
