import { deltaIntegers } from './deltaIntegers.ts';
import { bufferOf } from './guarded.ts';
import type { ByteLayout } from './layout.ts';
import type { Values } from './pageValues.ts';

/** DELTA_LENGTH_BYTE_ARRAY: all lengths, then all bytes. */
export function deltaLengthTexts(layout: ByteLayout, bytes: Uint8Array, count: number): Values {
  const { next, texts } = suffixes(bytes, count);
  const value = ofWidth(layout);
  let end = 0;
  return each(() => {
    const start = end;
    end += next();
    return value(texts, start, end);
  });
}

/**
 * DELTA_BYTE_ARRAY: the number of bytes each value shares with the one before it, then the remainder of each as
 * DELTA_LENGTH_BYTE_ARRAY.
 */
export function deltaTexts(layout: ByteLayout, bytes: Uint8Array, count: number): Values {
  const prefixes = lengths(bytes, count);
  const { next, texts } = suffixes(bytes.subarray(prefixes.end), count);
  const value = ofWidth(layout);
  // Values are assembled in place. None is longer than the remainders of all values together.
  const current = Buffer.alloc(texts.length);
  let length = 0;
  let from = 0;
  return each(() => {
    const shared = prefixes.next();
    if (shared > length) throw new Error(`a value shares ${shared} bytes with one of ${length} bytes`);
    const start = from;
    from += next();
    length = shared + texts.copy(current, shared, start, from);
    return value(current, 0, length);
  });
}

const each =
  (next: () => number): Values =>
  (out, at, count) => {
    for (let i = at; i < at + count; i++) out[i] = next();
  };

function suffixes(bytes: Uint8Array, count: number): { next: () => number; texts: Buffer } {
  const { next, total, end } = lengths(bytes, count);
  const texts = bufferOf(bytes.subarray(end));
  if (texts.length !== total) throw new Error(`texts of ${total} bytes are stored in ${texts.length} bytes`);
  return { next, texts };
}

const slice = 256;

/**
 * Lengths are read twice: once for their sum and their end, where the next part begins, and once as they are needed.
 */
function lengths(bytes: Uint8Array, count: number): { next: () => number; total: number; end: number } {
  const pairs = new Int32Array(2 * slice);
  const ahead = deltaIntegers(bytes);
  if (ahead.count !== count) throw new Error(`${count} values have ${ahead.count} lengths`);
  let total = 0;
  for (let done = 0; done < count; done += slice) {
    const taken = Math.min(slice, count - done);
    ahead.read(pairs, taken);
    for (let i = 0; i < taken; i++) {
      if (pairs[2 * i]! < 0) throw new Error(`a value has ${pairs[2 * i]} bytes`);
      total += pairs[2 * i]!;
    }
  }
  const integers = deltaIntegers(bytes);
  let held = 0;
  let i = 0;
  let left = count;
  const next = (): number => {
    if (i === held) {
      held = Math.min(slice, left);
      integers.read(pairs, held);
      left -= held;
      i = 0;
    }
    return pairs[2 * i++]!;
  };
  return { next, total, end: ahead.end() };
}

function ofWidth({ value, width }: ByteLayout): ByteLayout['value'] {
  if (width === null) return value;
  return (bytes, start, end) => {
    if (end - start !== width) throw new Error(`a value of ${width} bytes has ${end - start}`);
    return value(bytes, start, end);
  };
}
