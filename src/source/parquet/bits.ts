/** Whole numbers of a few bits each, packed without gaps, the lowest bits first. */
export interface Bits {
  readonly view: DataView;
  /** The byte that holds the next bit, */
  byte: number;
  /** and how many of its bits are used up. */
  used: number;
}

/** Reads numbers of `width` bits (0 to 32) into [from, to), and moves on behind them. */
export function unpack(bits: Bits, width: number, into: Uint32Array, from: number, to: number): void {
  const { view } = bits;
  let { byte, used } = bits;
  if (used + (to - from) * width > 8 * (view.byteLength - byte)) throw new Error('packed values end early');
  const mask = 2 ** width - 1;
  // A word is loaded at once, and a fifth byte where the number goes beyond it; the last words of the view are put together from bytes.
  const lastWord = view.byteLength - 4;
  for (let i = from; i < to; i++) {
    let value = (byte <= lastWord ? view.getUint32(byte, true) : tail(view, byte)) >>> used;
    if (used + width > 32) value |= view.getUint8(byte + 4) << (32 - used);
    into[i] = value & mask;
    used += width;
    byte += used >> 3;
    used &= 7;
  }
  bits.byte = byte;
  bits.used = used;
}

function tail(view: DataView, byte: number): number {
  let word = 0;
  for (let k = 0; byte + k < view.byteLength; k++) word |= view.getUint8(byte + k) << (8 * k);
  return word;
}
