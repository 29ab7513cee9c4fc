import { LEAVE_OUT_OR_ROUND } from '../table/doubles.ts';
import { clearMissing, markMissing } from './missing.ts';
import { type NumberType, tailOf } from './numberType.ts';
import type { PlainNumbers } from './plain.ts';

/** Contiguous numbers in buffer 1: read directly into `out`, unless they are wider than doubles. */
export const numbers = (type: NumberType): PlainNumbers => ({
  of: 'numbers',
  bitsPerRow: 8 * type.bytes,
  fill: async (column, { start, out, missing, lenient = false }) => {
    const absent = await markMissing(column, start, missing);
    const values = await column.buffer(1);
    const source = type.bytes > 8 ? new Uint8Array(type.bytes * out.length) : tailOf(out, type.bytes);
    await values.read(start * type.bytes, source);
    const refused = type.widen(source, out, missing);
    if (refused >= 0 && !lenient) {
      throw column.damaged(
        `is a whole number beyond 2^53, which a double cannot represent exactly; ${LEAVE_OUT_OR_ROUND}`,
        start + refused,
      );
    }
    if (absent > 0) clearMissing(out, missing);
    return absent;
  },
});
