/**
 * As much of the wire format of Protocol Buffers as Spark Connect's messages need: numbered fields that are numbers,
 * texts, bytes or messages. A message is written from its fields and read as a map from numbers to what came, so that
 * fields of later versions are passed over.
 */

/** A field: a number, a text, bytes, or a message, which is an array of fields. */
export type Field = readonly [number: number, value: number | string | Uint8Array | readonly Field[]];

const VARINT = 0;
const BYTES = 2;
const FIXED: Readonly<Record<number, number>> = { 1: 8, 5: 4 };

/** The bytes of a message. */
export function encoded(fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === 'number') return [varint(number * 8 + VARINT), varint(value)];
      const bytes =
        typeof value === 'string' ? Buffer.from(value) : value instanceof Uint8Array ? value : encoded(value);
      return [varint(number * 8 + BYTES), varint(bytes.length), bytes];
    }),
  );
}

/** What a message holds, by the numbers of its fields; of a field that is repeated, all values in order. */
export type Message = ReadonlyMap<number, readonly (number | Uint8Array)[]>;

/** Reads a message. Numbers beyond 2^53 lose digits; none of the fields that are used has such. */
export function decoded(bytes: Uint8Array): Message {
  const found = new Map<number, (number | Uint8Array)[]>();
  let place = 0;
  const next = (): number => {
    let [value, scale] = [0, 1];
    for (;;) {
      const byte = bytes[place++];
      if (byte === undefined) throw new Error('the message ends within a field');
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  };
  while (place < bytes.length) {
    const key = next();
    const kind = key % 8;
    const own = found.get(Math.floor(key / 8)) ?? [];
    found.set(Math.floor(key / 8), own);
    if (kind === VARINT) own.push(next());
    else {
      const length = kind === BYTES ? next() : FIXED[kind];
      if (length === undefined || place + length > bytes.length) throw new Error(`a field of kind ${kind} is cut off`);
      own.push(bytes.subarray(place, place + length));
      place += length;
    }
  }
  return found;
}

/** The last value of a field that is a text; undefined where there is none. */
export const textIn = (message: Message, number: number): string | undefined => {
  const value = message.get(number)?.at(-1);
  return value instanceof Uint8Array ? Buffer.from(value).toString() : undefined;
};

/** The values of a field that are messages or bytes. */
export const bytesIn = (message: Message, number: number): readonly Uint8Array[] =>
  (message.get(number) ?? []).filter(value => value instanceof Uint8Array);

export const numberIn = (message: Message, number: number): number => {
  const value = message.get(number)?.at(-1);
  return typeof value === 'number' ? value : 0;
};

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}
