import { bitsOf, lookUp } from './bits.ts';
import { bufferOf } from './guarded.ts';
import type { ByteLayout, ColumnLayout, NumberLayout } from './layout.ts';
import type { Values } from './values.ts';

/**
 * The PLAIN encoding of `count` values. Excess bytes are rejected like missing ones: either means that values are not
 * where they seem.
 */
export function plainValues(layout: ColumnLayout, bytes: Uint8Array, count: number): Values {
  if (layout.of === 'bits') return plainBits(bytes, count);
  if (layout.of === 'bytes' && layout.width === null) return plainTexts(layout, bytes, count);
  requireLength(bytes, count * layout.width!, count);
  return layout.of === 'numbers' ? plainNumbers(layout, bytes) : plainBytes(layout, bytes);
}

/** Booleans as entries of a table. */
export const falseTrue = Float64Array.of(0, 1);

function plainBits(bytes: Uint8Array, count: number): Values {
  requireLength(bytes, Math.ceil(count / 8), count);
  const bits = bitsOf(bytes);
  return { read: (out, at, asked) => lookUp(bits, 1, falseTrue, out, at, at + asked) };
}

function plainNumbers({ width, widen }: NumberLayout, bytes: Uint8Array): Values {
  let from = 0;
  return {
    read: (out, at, count) => {
      widen(bytes, from, out, at, count);
      from += count * width;
    },
  };
}

function plainBytes({ value, width }: ByteLayout, bytes: Uint8Array): Values {
  const buffer = bufferOf(bytes);
  const step = width!;
  let from = 0;
  return {
    read: (out, at, count) => {
      for (let i = 0; i < count; i++, from += step) out[at + i] = value(buffer, from, from + step);
    },
  };
}

/** Texts, each preceded by its length. */
function plainTexts({ value }: ByteLayout, bytes: Uint8Array, count: number): Values {
  const view = viewOf(bytes);
  let end = 0;
  for (let i = 0; i < count; i++) end += 4 + view.getUint32(end, true);
  requireLength(bytes, end, count);
  const buffer = bufferOf(bytes);
  let from = 0;
  return {
    read: (out, at, asked) => {
      for (let i = 0; i < asked; i++) {
        const start = from + 4;
        from = start + view.getUint32(from, true);
        out[at + i] = value(buffer, start, from);
      }
    },
  };
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function requireLength({ length }: Uint8Array, expected: number, count: number): void {
  if (length !== expected) throw new Error(`${count} values need ${expected} bytes, but have ${length}`);
}
