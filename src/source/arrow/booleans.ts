import { type Bits, clearMissing, markMissing, readBits } from './missing.ts';
import type { PlainNumbers } from './plain.ts';

/** Booleans, eight to a byte of buffer 1. */
export const booleans: PlainNumbers = {
  of: 'numbers',
  bitsPerRow: 1,
  fill: async (column, { start, out, missing }) => {
    const absent = await markMissing(column, start, missing);
    spread(await readBits(await column.buffer(1), start, out.length), out);
    if (absent > 0) clearMissing(out, missing);
    return absent;
  },
};

function spread({ bytes, skip }: Bits, out: Float64Array): void {
  for (let i = 0; i < out.length; i++) {
    const at = i + skip;
    out[i] = (bytes[at >> 3]! >> (at & 7)) & 1;
  }
}
