import type { BatchColumn } from './batchColumn.ts';
import { markMissing } from './missing.ts';
import type { PlainTexts } from './plain.ts';

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
