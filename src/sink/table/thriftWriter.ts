/** Values in Thrift's compact protocol, as far as Parquet metadata require it. */
export interface ThriftValue {
  readonly type: number;
  readonly bytes: readonly number[];
}

export const i32 = (value: number): ThriftValue => ({ type: 5, bytes: varint(zigzag(value)) });

/** Exact up to 2^52. */
export const i64 = (value: number): ThriftValue => ({ type: 6, bytes: varint(zigzag(value)) });

export const bool = (value: boolean): ThriftValue => ({ type: value ? 1 : 2, bytes: [] });

export function text(value: string): ThriftValue {
  const bytes = Buffer.from(value);
  return { type: 8, bytes: [...varint(bytes.length), ...bytes] };
}

/** A list of values of one type. */
export function list(values: readonly ThriftValue[]): ThriftValue {
  const type = values[0]?.type ?? STRUCT;
  const head = values.length < 15 ? [(values.length << 4) | type] : [0xf0 | type, ...varint(values.length)];
  return { type: 9, bytes: head.concat(...values.map(({ bytes }) => bytes)) };
}

/** A struct by field id; each id may be at most 15 more than the one before. */
export function struct(fields: Readonly<Record<number, ThriftValue>>): ThriftValue {
  let before = 0;
  // Object.entries lists integer keys in ascending order.
  const parts = Object.entries(fields).map(([key, { type, bytes }]) => {
    const head = ((Number(key) - before) << 4) | type;
    before = Number(key);
    return [head, ...bytes];
  });
  return { type: STRUCT, bytes: [...parts.flat(), STOP] };
}

const STRUCT = 12;
const STOP = 0;

const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);

/** Seven bits per byte, least significant first; by division, because bit operations have only 32 bits. */
export function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return [...bytes, rest];
}
