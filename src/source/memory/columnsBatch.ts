import { Precision, Type } from 'apache-arrow/enum';
import { dataError, refuse } from '../../errors.ts';
import { counted } from '../../words.ts';
import type { ArrowData, TypeShape } from './heldBatch.ts';
import type { ArrowBatch, Columns, ColumnValues } from './rowSource.ts';

export const COLUMNS = 'the columns';

export interface ColumnsReading {
  /** Columns with declared levels, whose values are texts, whatever they are in an array. */
  readonly texts: readonly string[];
  /**
   * Whether a value may be of any kind, and is null where it cannot be used: in a private run no row may decide how
   * another is read.
   */
  readonly mixed: boolean;
}

/** Columns by name as one record batch: typed arrays in place, plain arrays by their kind. */
export async function columnsBatch(columns: Columns, { texts, mixed }: ColumnsReading): Promise<ArrowBatch> {
  const names = Object.keys(columns);
  const dataNamed = async (name: string): Promise<ArrowData> => {
    const values = columns[name]!;
    if (Array.isArray(values)) {
      if (texts.includes(name)) return dataOf('string', values.map(textOf));
      return mixed ? dataOf('number', values.map(numberOf)) : plainData(name, values);
    }
    const type = ArrayBuffer.isView(values) ? TYPED[(values as Float64Array)[Symbol.toStringTag]] : undefined;
    if (type === undefined) refuse(`column ${JSON.stringify(name)}`, 'be an array or a typed array', values);
    return whole(type!, values.length, values as Float64Array);
  };
  const children = await Promise.all(names.map(dataNamed));
  const rows = children[0]?.length ?? 0;
  const other = children.findIndex(({ length }) => length !== rows);
  if (other > 0) {
    const told = (k: number): string => `${JSON.stringify(names[k])} has ${counted(children[k]!.length, 'value')}`;
    throw dataError({ table: COLUMNS }, `${told(0)}, but ${told(other)}`, 'give columns of equal length');
  }
  const fields = names.map((name, k) => ({ name, type: children[k]!.type }));
  return { schema: { fields }, numRows: rows, data: { children } };
}

type Value = Extract<ColumnValues, readonly unknown[]>[number];

const TYPED: Readonly<Record<string, TypeShape>> = {
  Float64Array: { typeId: Type.Float, precision: Precision.DOUBLE },
  Float32Array: { typeId: Type.Float, precision: Precision.SINGLE },
  Float16Array: { typeId: Type.Float, precision: Precision.HALF },
  Int8Array: { typeId: Type.Int, bitWidth: 8, isSigned: true },
  Int16Array: { typeId: Type.Int, bitWidth: 16, isSigned: true },
  Int32Array: { typeId: Type.Int, bitWidth: 32, isSigned: true },
  BigInt64Array: { typeId: Type.Int, bitWidth: 64, isSigned: true },
  Uint8Array: { typeId: Type.Int, bitWidth: 8, isSigned: false },
  Uint8ClampedArray: { typeId: Type.Int, bitWidth: 8, isSigned: false },
  Uint16Array: { typeId: Type.Int, bitWidth: 16, isSigned: false },
  Uint32Array: { typeId: Type.Int, bitWidth: 32, isSigned: false },
  BigUint64Array: { typeId: Type.Int, bitWidth: 64, isSigned: false },
};

/** A column without nulls, or of nothing else. */
const whole = (type: TypeShape, length: number, values?: Float64Array): ArrowData => ({
  type,
  length,
  offset: 0,
  stride: 1,
  nullCount: 0,
  values,
  children: [],
});

type Kind = 'number' | 'bigint' | 'boolean' | 'string' | 'date';

const kindOf = (value: NonNullable<Value>): Kind => (value instanceof Date ? 'date' : (typeof value as Kind));

/** The kind of a column is that of its first value, and every value must be of that kind. */
async function plainData(name: string, values: readonly Value[]): Promise<ArrowData> {
  const first = values.findIndex(value => value !== null && value !== undefined);
  if (first < 0) return whole({ typeId: Type.Null }, values.length);
  const kind = kindOf(values[first]!);
  values.forEach((value, row) => {
    if (value === null || value === undefined) return;
    const place = { table: COLUMNS, column: name, row };
    if (!(kindOf(value) in KINDS))
      throw dataError(place, `is of type ${typeof value}`, 'give numbers, bigints, booleans, texts or dates');
    if (kindOf(value) === kind) return;
    const [is, was] = [KINDS[kindOf(value)], KINDS[kind]];
    throw dataError(place, `is ${is}, but ${was} in row ${first}`, 'give values of one kind');
  });
  return dataOf(kind, values);
}

const KINDS: Readonly<Record<Kind, string>> = {
  number: 'a number',
  bigint: 'a bigint',
  boolean: 'a boolean',
  string: 'a text',
  date: 'a date',
};

/** All values but nulls are of the kind. Loads apache-arrow, which knows how to build columns. */
async function dataOf(kind: Kind, values: readonly Value[]): Promise<ArrowData> {
  const arrow = await import('apache-arrow');
  const types = {
    number: arrow.Float64,
    bigint: arrow.Int64,
    boolean: arrow.Bool,
    string: arrow.Utf8,
    date: arrow.TimestampMillisecond,
  };
  const whole = values.map(value => {
    if (value instanceof Date && Number.isNaN(value.getTime())) return null;
    return typeof value === 'bigint' ? inLong(value) : (value ?? null);
  });
  return arrow.vectorFromArray(whole, new types[kind]()).data[0] as unknown as ArrowData;
}

/** A bigint beyond 64 bits is as little of a double as the largest one of 64 bits, which readers refuse. */
const inLong = (value: bigint): bigint => (value === BigInt.asIntN(64, value) ? value : 2n ** 63n - 1n);

/** As in a text file, where the level of a number is how it is written. */
const textOf = (value: Value): string | null =>
  ['string', 'number', 'bigint', 'boolean'].includes(typeof value) ? String(value) : null;

function numberOf(value: Value): number | null {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.getTime() / 1000;
  if (typeof value === 'bigint') return BigInt(Number(value)) === value ? Number(value) : null;
  return typeof value === 'number' || typeof value === 'boolean' ? Number(value) : null;
}
