import { fromHalf } from '../fromHalf.ts';

/** How numbers of a fixed width are stored, and how they become doubles. */
export interface NumberType {
  /** Bytes of one value. */
  readonly bytes: number;
  /**
   * Turns the values in `source` into the doubles of `out`, from the first to the last. A source no wider than doubles
   * is the end of `out` itself (see `tailOf`). A value that a double cannot hold becomes NaN; returns the index of the
   * first, or -1. Missing values are not judged.
   */
  widen(source: Uint8Array, out: Float64Array, missing: Uint8Array): number;
}

/**
 * The last `out.length` x `bytes` bytes of `out`: values are read there and widened in place, without memory of their
 * own. Value i moves from byte (8 - bytes) n + bytes i to byte 8 i, and so never onto a value that is still to come.
 */
export const tailOf = (out: Float64Array, bytes: number): Uint8Array =>
  new Uint8Array(out.buffer, out.byteOffset + (8 - bytes) * out.length, bytes * out.length);

export const float64: NumberType = { bytes: 8, widen: () => -1 };
export const float32 = stored(Float32Array);
export const int8 = stored(Int8Array);
export const int16 = stored(Int16Array);
export const int32 = stored(Int32Array);
export const uint8 = stored(Uint8Array);
export const uint16 = stored(Uint16Array);
export const uint32 = stored(Uint32Array);

export const float16: NumberType = {
  bytes: 2,
  widen: (source, out) => {
    const halves = viewAs(Uint16Array, source);
    for (let i = 0; i < out.length; i++) out[i] = fromHalf(halves[i]!);
    return -1;
  },
};

interface ViewType<A> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, offset: number, length: number): A;
}

/** The same memory as numbers of another type. */
export const viewAs = <A>(type: ViewType<A>, { buffer, byteOffset, byteLength }: Uint8Array): A =>
  new type(buffer, byteOffset, byteLength / type.BYTES_PER_ELEMENT);

function stored(type: ViewType<ArrayLike<number>>): NumberType {
  return {
    bytes: type.BYTES_PER_ELEMENT,
    widen: (source, out) => {
      // Overlap is safe: `set` works as if it copied the source first. It is several times faster than a loop.
      out.set(viewAs(type, source));
      return -1;
    },
  };
}
