import type { DataError } from '../../errors.ts';
import { markMissing } from './missing.ts';
import type { PlainTexts, TextSlice, TextVisitor } from './plain.ts';

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
