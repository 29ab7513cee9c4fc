import { fromHalf } from '../table/doubles.ts';

/** How fixed-width numbers are stored, and how they become doubles. */
export interface NumberType {
  /** The number of bytes per value. */
  readonly bytes: number;
  /**
   * Converts the values in `source` to doubles in `out`, first to last. If the values are no wider than doubles, the
   * source is the end of `out` itself (see `tailOf`). A value that a double cannot represent becomes NaN; returns the
   * index of the first such value, or -1. Missing values are not checked.
   */
  widen(source: Uint8Array, out: Float64Array, missing: Uint8Array): number;
}

/**
 * The last `out.length` x `bytes` bytes of `out`: values are read there and widened in place, without extra memory.
 * Value i moves from byte (8 - bytes) n + bytes i to byte 8 i, and so never overwrites a value not yet converted.
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
      // Overlap is safe, because `set` works as if it copied the source first. It is several times faster than a loop.
      out.set(viewAs(type, source));
      return -1;
    },
  };
}
