import { deltaIntegers } from './deltaIntegers.ts';
import { deltaLengthTexts, deltaTexts } from './deltaTexts.ts';
import type { Encoding, PhysicalType } from './format.ts';
import { hybrid } from './hybrid.ts';
import type { ByteLayout, ColumnLayout, NumberLayout } from './layout.ts';
import { falseTrue, plainValues } from './plainValues.ts';
import { splitValues } from './splitValues.ts';
import type { Values } from './values.ts';

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
  if (count === 0) return none;
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

const none: Values = { read: () => {} };

/** The bytes that follow a length prefix. */
export function prefixed(bytes: Uint8Array): Uint8Array {
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true);
  const rest = bytes.subarray(4);
  if (length > rest.length) throw new Error(`${length} bytes are announced, but ${rest.length} follow`);
  return rest.subarray(0, length);
}

const slice = 512;

/** Integers of 4 or 8 bytes as DELTA_BINARY_PACKED: converted to the PLAIN encoding one slice at a time. */
function deltaValues({ width, widen }: NumberLayout, bytes: Uint8Array, count: number): Values {
  const integers = deltaIntegers(bytes);
  if (integers.count !== count) throw new Error(`${count} values are encoded as ${integers.count}`);
  const pairs = new Int32Array(2 * slice);
  const plain = new Uint8Array(pairs.buffer);
  return {
    read: (out, at, asked) => {
      for (let done = 0; done < asked; done += slice) {
        const taken = Math.min(slice, asked - done);
        integers.read(pairs, taken);
        if (width === 4) for (let i = 1; i < taken; i++) pairs[i] = pairs[2 * i]!;
        widen(plain, 0, out, at + done, taken);
      }
    },
  };
}
