/** Values in Thrift's compact protocol, as far as the metadata of a Parquet file need it. */
export interface ThriftValue {
  readonly type: number;
  readonly bytes: readonly number[];
}

export const i32 = (value: number): ThriftValue => ({ type: 5, bytes: varint(zigzag(value)) });

/** Exact up to 2^52. */
export const i64 = (value: number): ThriftValue => ({ type: 6, bytes: varint(zigzag(value)) });

export function text(value: string): ThriftValue {
  const bytes = Buffer.from(value);
  return { type: 8, bytes: [...varint(bytes.length), ...bytes] };
}

/** Of values of one type. */
export function list(values: readonly ThriftValue[]): ThriftValue {
  const type = values[0]?.type ?? STRUCT;
  const head = values.length < 15 ? [(values.length << 4) | type] : [0xf0 | type, ...varint(values.length)];
  return { type: 9, bytes: head.concat(...values.map(({ bytes }) => bytes)) };
}

/** By the numbers of the fields, none of which may be more than 15 beyond the one before. */
export function struct(fields: Readonly<Record<number, ThriftValue>>): ThriftValue {
  let before = 0;
  // Keys that are whole numbers come in ascending order.
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

/** Seven bits a byte, the lowest first, by division because 32 bits are not enough. */
export function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return [...bytes, rest];
}
