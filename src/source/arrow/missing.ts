import type { BatchColumn } from './batchColumn.ts';
import type { Region } from './region.ts';

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
export interface Bits {
  readonly bytes: Uint8Array;
  readonly skip: number;
}

export async function readBits(bits: Region, start: number, count: number): Promise<Bits> {
  const first = Math.floor(start / 8);
  const bytes = await bits.bytes(first, Math.ceil((start + count) / 8) - first);
  return { bytes, skip: start - 8 * first };
}
