/** What Thrift's compact protocol can say here: a record has its field numbers for keys. */
export type Thrift = number | boolean | string | Uint8Array | readonly Thrift[] | ThriftRecord;
export interface ThriftRecord {
  readonly [id: number]: Thrift | undefined;
}

/** A struct that stands by itself. */
export const writeThrift = (record: ThriftRecord): Buffer => encode(record).bytes;

export function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) + 0x80, ...varint(Math.floor(value / 0x80))];
}

export const zigzag = (value: number): number[] => varint(value < 0 ? -2 * value - 1 : 2 * value);

interface Encoded {
  readonly wire: number;
  readonly bytes: Buffer;
}

function encode(value: Thrift): Encoded {
  if (typeof value === 'boolean') return { wire: value ? 1 : 2, bytes: Buffer.alloc(0) };
  if (typeof value === 'number') return { wire: 6, bytes: Buffer.from(zigzag(value)) };
  if (typeof value === 'string' || value instanceof Uint8Array) {
    const bytes = Buffer.from(value as string);
    return { wire: 8, bytes: Buffer.concat([Buffer.from(varint(bytes.length)), bytes]) };
  }
  if (Array.isArray(value)) {
    const elements = (value as readonly Thrift[]).map(encode);
    const header = [0xf0 + (elements[0]?.wire ?? 12), ...varint(elements.length)];
    // Booleans are their type as fields, but take a byte as elements.
    const bodies = elements.map(({ wire, bytes }) => (wire <= 2 ? Buffer.from([wire]) : bytes));
    return { wire: 9, bytes: Buffer.concat([Buffer.from(header), ...bodies]) };
  }
  const fields = Object.entries(value as ThriftRecord).flatMap(([id, field]) => {
    if (field === undefined) return [];
    const { wire, bytes } = encode(field);
    return [Buffer.from([wire, ...zigzag(Number(id))]), bytes];
  });
  return { wire: 12, bytes: Buffer.concat([...fields, Buffer.from([0])]) };
}
