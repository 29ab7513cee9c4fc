import { viewOf } from './guarded.ts';

/** Unsigned integers of 0 to 32 bits each, packed without gaps, least significant bits first. */
export interface Bits {
  readonly view: DataView;
  /** The index of the byte with the next bit. */
  byte: number;
  /** The number of its bits already read. */
  used: number;
}

export const bitsOf = (bytes: Uint8Array): Bits => ({ view: viewOf(bytes), byte: 0, used: 0 });

/** Reads numbers of `width` bits into [from, to). */
export function unpack(bits: Bits, width: number, into: Uint32Array, from: number, to: number): void {
  const { view } = bits;
  let { byte, used } = bits;
  const mask = (1 << width) - 1;
  const fastEnd = from + wholeWords(bits, width, to - from);
  for (let i = from; i < fastEnd; i++) {
    into[i] = (view.getUint32(byte, true) >>> used) & mask;
    used += width;
    byte += used >> 3;
    used &= 7;
  }
  bits.byte = byte;
  bits.used = used;
  for (let i = fastEnd; i < to; i++) into[i] = next(bits, width);
}

/** How many of the next `count` bits are 1. */
export function countOnes(bits: Bits, count: number): number {
  let ones = 0;
  let left = count;
  for (; left > 0 && bits.used > 0; left--) ones += next(bits, 1);
  for (; left >= 8; left -= 8) ones += onesIn(bits.view.getUint8(bits.byte++));
  return ones + onesIn(next(bits, left));
}

/** How many bits of a byte are 1: added in pairs, then in fours, then all. */
function onesIn(byte: number): number {
  const pairs = byte - ((byte >> 1) & 0x55);
  const fours = (pairs & 0x33) + ((pairs >> 2) & 0x33);
  return (fours + (fours >> 4)) & 0x0f;
}

/**
 * Reads numbers of `width` bits as indices, and writes the entries they refer to into [from, to). A single loop takes
 * half the time of two.
 */
export function lookUp(
  bits: Bits,
  width: number,
  entries: Float64Array,
  out: Float64Array,
  from: number,
  to: number,
): void {
  const { view } = bits;
  let { byte, used } = bits;
  const mask = (1 << width) - 1;
  const limit = entries.length;
  const fastEnd = from + wholeWords(bits, width, to - from);
  for (let i = from; i < fastEnd; i++) {
    const index = (view.getUint32(byte, true) >>> used) & mask;
    if (index >= limit) throw noEntry(index, limit);
    out[i] = entries[index]!;
    used += width;
    byte += used >> 3;
    used &= 7;
  }
  bits.byte = byte;
  bits.used = used;
  for (let i = fastEnd; i < to; i++) out[i] = entryAt(entries, next(bits, width));
}

export function entryAt(entries: Float64Array, index: number): number {
  if (index >= entries.length) throw noEntry(index, entries.length);
  return entries[index]!;
}

const noEntry = (index: number, entries: number): Error =>
  new Error(`a value refers to entry ${index} of a dictionary of ${entries}`);

/** How many of the next `count` numbers fit within four bytes from their first byte, all before the end. */
function wholeWords({ view, byte, used }: Bits, width: number, count: number): number {
  if (width === 0 || width > 25) return 0;
  const bits = 8 * (view.byteLength - 3 - byte) - used;
  return Math.max(0, Math.min(count, Math.ceil(bits / width)));
}

function next(bits: Bits, width: number): number {
  let value = 0;
  for (let shift = 0; shift < width; ) {
    const taken = Math.min(8 - bits.used, width - shift);
    const part = (bits.view.getUint8(bits.byte) >> bits.used) & (2 ** taken - 1);
    value += part * 2 ** shift;
    shift += taken;
    bits.used += taken;
    if (bits.used === 8) {
      bits.byte++;
      bits.used = 0;
    }
  }
  return value;
}
