import { type NumberType, tailOf } from '../table/numberType.ts';
import type { BatchColumn } from './batch.ts';
import type { Region } from './region.ts';

/** Rows from `start` on, as many as the length of `out` and `missing`. */
export interface Slice {
  readonly start: number;
  readonly out: Float64Array;
  readonly missing: Uint8Array;
  /** As in a `FillRequest`. */
  readonly rest?: boolean;
}

/** Values stored directly in a buffer: those of plain columns, of dictionaries, and of vectors. */
export type Plain = PlainNumbers | PlainTexts;

export interface PlainNumbers {
  readonly of: 'numbers';
  /** The number of bits of buffer 1 per row. */
  readonly bitsPerRow: number;
  /** Fills a slice and returns the number of nulls; those are marked, and 0. */
  fill(column: BatchColumn, slice: Slice): Promise<number>;
}

export interface PlainTexts {
  readonly of: 'texts';
  readonly bitsPerRow: number;
  /** Visits every text of at most `longest` bytes, except nulls; marks the nulls and returns their number. */
  visit(column: BatchColumn, slice: TextSlice, visit: TextVisitor): Promise<number>;
}

export interface TextSlice {
  readonly start: number;
  readonly missing: Uint8Array;
  readonly longest: number;
}

/** Receives the UTF-8 text of the slice's row `row` in bytes [from, to), which are valid during the call. */
export type TextVisitor = (row: number, bytes: Uint8Array, from: number, to: number) => void;

/** Contiguous numbers in buffer 1: read directly into `out`, unless they are wider than doubles. */
export const numbers = (type: NumberType): PlainNumbers => ({
  of: 'numbers',
  bitsPerRow: 8 * type.bytes,
  fill: async (column, { start, out, missing, rest = false }) => {
    const absent = await markMissing(column, start, missing);
    if (rest && type.rest === undefined) {
      out.fill(0);
      return absent;
    }
    const values = await column.buffer(1);
    const source = type.bytes > 8 ? new Uint8Array(type.bytes * out.length) : tailOf(out, type.bytes);
    await values.read(start * type.bytes, source);
    (rest ? type.rest! : type.widen)(source, out);
    if (absent > 0) clearMissing(out, missing);
    return absent;
  },
});

/** Booleans, eight to a byte of buffer 1. */
export const booleans: PlainNumbers = {
  of: 'numbers',
  bitsPerRow: 1,
  fill: async (column, { start, out, missing, rest = false }) => {
    const absent = await markMissing(column, start, missing);
    if (rest) out.fill(0);
    else spread(await readBits(await column.buffer(1), column.firstBit + start, out.length), out);
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

/**
 * Marks the nulls among the rows from `start` on, and returns their number. The bitmap has a 1 for every value that is
 * present.
 */
export async function markMissing(column: BatchColumn, start: number, missing: Uint8Array): Promise<number> {
  if (column.nulls === 0) return 0;
  const validity = await column.buffer(0);
  if (validity.length === 0) throw column.damaged(`has ${column.nulls} nulls, but no bitmap that says where`);
  return markZeros(await readBits(validity, column.firstBit + start, missing.length), missing);
}

function markZeros({ bytes, skip }: Bits, missing: Uint8Array): number {
  let count = 0;
  for (let k = 0; k < bytes.length; k++) {
    const byte = bytes[k]!;
    if (byte === 255) continue;
    const first = 8 * k - skip;
    for (let i = Math.max(first, 0); i < Math.min(first + 8, missing.length); i++) {
      if ((byte >> (i - first)) & 1) continue;
      missing[i] = 1;
      count++;
    }
  }
  return count;
}

export function clearMissing(out: Float64Array, missing: Uint8Array): void {
  for (let i = 0; i < out.length; i++) if (missing[i] === 1) out[i] = 0;
}

/** Bits, least significant first in each byte, after the first `skip` bits of the first byte. */
interface Bits {
  readonly bytes: Uint8Array;
  readonly skip: number;
}

async function readBits(bits: Region, start: number, count: number): Promise<Bits> {
  const first = Math.floor(start / 8);
  const bytes = await bits.bytes(first, Math.ceil((start + count) / 8) - first);
  return { bytes, skip: start - 8 * first };
}
