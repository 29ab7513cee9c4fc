import { bitsOf, lookUp } from './bits.ts';
import type { ByteLayout, ColumnLayout, NumberLayout } from './columnLayout.ts';
import { deltaIntegers, deltaLengthTexts, deltaTexts } from './deltaIntegers.ts';
import type { Encoding, PhysicalType } from './format.ts';
import { bufferOf, viewOf } from './guarded.ts';
import { hybrid } from './hybrid.ts';

/**
 * A sequence of values: decodes the next `count` of them into `out`, from index `at` on. The caller must not ask for
 * more than there are.
 */
export type Values = (out: Float64Array, at: number, count: number) => void;

export interface ColumnValues {
  readonly physical: PhysicalType;
  /** The layout of that physical type. */
  readonly layout: ColumnLayout;
  /** The entries of the dictionary page, if there was one. */
  readonly dictionary: Float64Array | null;
}

/** The `count` values of a data page, in the encodings that the format defines for each type. */
export function pageValues(
  encoding: Encoding | undefined,
  { physical, layout, dictionary }: ColumnValues,
  bytes: Uint8Array,
  count: number,
): Values {
  if (count === 0) return () => {};
  if (encoding === 'PLAIN') return plainValues(layout, bytes, count);
  if (encoding === 'RLE_DICTIONARY' || encoding === 'PLAIN_DICTIONARY') {
    if (dictionary === null) throw new Error('a page refers to a dictionary that is not there');
    return hybrid(bytes.subarray(1), bytes[0]!).entries(dictionary);
  }
  switch (`${encoding} ${physical}`) {
    case 'RLE BOOLEAN':
      return hybrid(prefixed(bytes), 1).entries(falseTrue);
    case 'DELTA_BINARY_PACKED INT32':
    case 'DELTA_BINARY_PACKED INT64':
      return deltaValues(layout as NumberLayout, bytes, count);
    case 'DELTA_LENGTH_BYTE_ARRAY BYTE_ARRAY':
      return deltaLengthTexts(layout as ByteLayout, bytes, count);
    case 'DELTA_BYTE_ARRAY BYTE_ARRAY':
    case 'DELTA_BYTE_ARRAY FIXED_LEN_BYTE_ARRAY':
      return deltaTexts(layout as ByteLayout, bytes, count);
    case 'BYTE_STREAM_SPLIT INT32':
    case 'BYTE_STREAM_SPLIT INT64':
    case 'BYTE_STREAM_SPLIT FLOAT':
    case 'BYTE_STREAM_SPLIT DOUBLE':
    case 'BYTE_STREAM_SPLIT FIXED_LEN_BYTE_ARRAY':
      return splitValues(layout as NumberLayout | ByteLayout, bytes, count);
    default:
      throw new Error(`${physical} cannot be decoded from ${encoding ?? 'an unknown encoding'}`);
  }
}

/** The bytes that follow a length prefix. */
export function prefixed(bytes: Uint8Array): Uint8Array {
  const length = viewOf(bytes).getUint32(0, true);
  const rest = bytes.subarray(4);
  if (length > rest.length) throw new Error(`${length} bytes are announced, but ${rest.length} follow`);
  return rest.subarray(0, length);
}

/**
 * The PLAIN encoding of `count` values. Excess bytes are rejected like missing ones: either means that values are not
 * where they seem.
 */
export function plainValues(layout: ColumnLayout, bytes: Uint8Array, count: number): Values {
  const requireLength = (expected: number): void => {
    if (bytes.length !== expected) throw new Error(`${count} values need ${expected} bytes, but have ${bytes.length}`);
  };
  if (layout.of === 'bits') {
    requireLength(Math.ceil(count / 8));
    const bits = bitsOf(bytes);
    return (out, at, asked) => lookUp(bits, 1, falseTrue, out, at, at + asked);
  }
  if (layout.of === 'bytes' && layout.width === null) {
    const view = viewOf(bytes);
    let end = 0;
    for (let i = 0; i < count; i++) end += 4 + view.getUint32(end, true);
    requireLength(end);
    return plainTexts(layout, bytes, view);
  }
  const width = layout.width!;
  requireLength(count * width);
  return layout.of === 'numbers' ? plainNumbers(layout, bytes) : plainBytes(layout, width, bytes);
}

/** Booleans as entries of a table. */
const falseTrue = Float64Array.of(0, 1);

/**
 * Aligned memory, to which numbers are copied first: the levels before them shift the values of a page, and copies to
 * shared memory between different alignments go byte by byte, at a tenth of the speed.
 */
const aligned = new Uint8Array(2 ** 14);

function plainNumbers({ width, widen }: NumberLayout, bytes: Uint8Array): Values {
  const most = Math.floor(aligned.length / width);
  let from = 0;
  return (out, at, count) => {
    for (let done = 0; done < count; done += most) {
      const taken = Math.min(most, count - done);
      const source = aligned.subarray(0, taken * width);
      source.set(bytes.subarray(from, from + source.length));
      widen(source, out.subarray(at + done, at + done + taken));
      from += source.length;
    }
  };
}

function plainBytes({ value }: ByteLayout, width: number, bytes: Uint8Array): Values {
  const buffer = bufferOf(bytes);
  let from = 0;
  return (out, at, count) => {
    for (let i = 0; i < count; i++, from += width) out[at + i] = value(buffer, from, from + width);
  };
}

/** Texts, each preceded by its length. */
function plainTexts({ value }: ByteLayout, bytes: Uint8Array, view: DataView): Values {
  const buffer = bufferOf(bytes);
  let from = 0;
  return (out, at, count) => {
    for (let i = 0; i < count; i++) {
      const start = from + 4;
      from = start + view.getUint32(from, true);
      out[at + i] = value(buffer, start, from);
    }
  };
}

/** How many values are converted to the PLAIN encoding at a time. */
const slice = 512;

/** Integers of 4 or 8 bytes as DELTA_BINARY_PACKED. */
function deltaValues({ width, widen }: NumberLayout, bytes: Uint8Array, count: number): Values {
  const integers = deltaIntegers(bytes);
  if (integers.count !== count) throw new Error(`${count} values are encoded as ${integers.count}`);
  const pairs = new Int32Array(2 * slice);
  const plain = new Uint8Array(pairs.buffer);
  return (out, at, asked) => {
    for (let done = 0; done < asked; done += slice) {
      const taken = Math.min(slice, asked - done);
      integers.read(pairs, taken);
      if (width === 4) for (let i = 1; i < taken; i++) pairs[i] = pairs[2 * i]!;
      widen(plain.subarray(0, taken * width), out.subarray(at + done, at + done + taken));
    }
  };
}

/** BYTE_STREAM_SPLIT: the first bytes of all values, then all second bytes, and so on. */
function splitValues(layout: NumberLayout | ByteLayout, bytes: Uint8Array, count: number): Values {
  const { width } = layout;
  if (width === null || bytes.length !== count * width) {
    throw new Error(`${count} values of ${width} bytes are split over ${bytes.length} bytes`);
  }
  const joined = new Uint8Array(Math.min(slice, count) * width);
  const words = new Uint32Array(joined.buffer, 0, joined.length >> 2);
  let first = 0;
  return (out, at, asked) => {
    for (let done = 0; done < asked; done += slice) {
      const taken = Math.min(slice, asked - done);
      if (width % 4 === 0) joinWords(bytes, first, count, words, width / 4, taken);
      else joinBytes(bytes, first, count, joined, width, taken);
      plainValues(layout, joined.subarray(0, taken * width), taken)(out, at + done, taken);
      first += taken;
    }
  };
}

/**
 * Four bytes at a time, with half the stores and none of them small. `apart` is the distance between the bytes of a
 * value.
 */
function joinWords(
  bytes: Uint8Array,
  first: number,
  apart: number,
  words: Uint32Array,
  size: number,
  count: number,
): void {
  for (let k = 0; k < size; k++) {
    const a = first + 4 * k * apart;
    const b = a + apart;
    const c = b + apart;
    const d = c + apart;
    for (let i = 0; i < count; i++) {
      words[i * size + k] = bytes[a + i]! | (bytes[b + i]! << 8) | (bytes[c + i]! << 16) | (bytes[d + i]! << 24);
    }
  }
}

function joinBytes(
  bytes: Uint8Array,
  first: number,
  apart: number,
  joined: Uint8Array,
  width: number,
  count: number,
): void {
  for (let k = 0; k < width; k++) {
    for (let i = 0; i < count; i++) joined[i * width + k] = bytes[first + k * apart + i]!;
  }
}
