/**
 * Thrift's compact protocol, as far as Parquet uses it. A format is declared as data (`{ 3: ['rows', 'integer'] }`) and
 * read into a plain record; undeclared fields are skipped. Every length is checked against the remaining bytes before
 * memory is allocated for it, and skipped fields may be nested no deeper than `deepest`, so damaged bytes end in an
 * error and nothing worse.
 */

export interface ThriftBytes {
  readonly view: DataView;
  /** The offset of the next byte to read. */
  offset: number;
}

/** A kind of value, a list of one type, or a struct. */
export type ThriftType = keyof typeof scalarWires | readonly [element: ThriftType] | ThriftStruct;

/** The fields of a struct by their numeric ids. */
export interface ThriftStruct {
  readonly [id: number]: readonly [name: string, type: ThriftType];
}

/** What a value of a type is read into. Every field may be absent: the code that uses the record decides what is required. */
export type Decoded<T> = T extends 'boolean'
  ? boolean
  : T extends 'integer'
    ? number
    : T extends 'text'
      ? string
      : T extends readonly [infer Element]
        ? readonly Decoded<Element>[]
        : T extends ThriftStruct
          ? { readonly [Id in keyof T as NameOf<T[Id]>]?: Decoded<TypeOf<T[Id]>> }
          : never;
type NameOf<Field> = Field extends readonly [infer Name extends string, unknown] ? Name : never;
type TypeOf<Field> = Field extends readonly [string, infer Type] ? Type : never;

const wires = {
  stop: 0,
  true: 1,
  false: 2,
  byte: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  set: 10,
  struct: 12,
} as const;
const deepest = 16;

/** How the kinds of values are written. */
const scalarWires = {
  boolean: [wires.true, wires.false],
  integer: [wires.i16, wires.i32, wires.i64, wires.byte],
  text: [wires.binary],
} as const;

/** Reads a top-level struct, and moves the offset past it. */
export const readStruct = <S extends ThriftStruct>(struct: S, bytes: ThriftBytes): Decoded<S> =>
  structFrom(struct, bytes) as Decoded<S>;

function structFrom(struct: ThriftStruct, bytes: ThriftBytes): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  eachField(bytes, (id, wire) => {
    const field = struct[id];
    if (field === undefined) return skip(bytes, wire, 0);
    const [name, type] = field;
    requireWire(type, wire);
    record[name] = valueFrom(type, bytes, wire);
  });
  return record;
}

/** A value whose wire type has been read. */
function valueFrom(type: ThriftType, bytes: ThriftBytes, wire: number): unknown {
  if (type === 'boolean') return wire === wires.true;
  // Beyond 2^53 an integer is rounded, and then fails the checks of lengths, counts and offsets.
  if (type === 'integer') return wire === wires.byte ? bytes.view.getInt8(bytes.offset++) : zigzag(bytes);
  if (type === 'text') return textFrom(bytes);
  return isList(type) ? listFrom(type[0], bytes) : structFrom(type, bytes);
}

function textFrom(bytes: ThriftBytes): string {
  const length = varint(bytes);
  const { buffer, byteOffset } = bytes.view;
  const start = take(bytes, length);
  return Buffer.from(buffer, byteOffset + start, length).toString();
}

function listFrom(element: ThriftType, bytes: ThriftBytes): unknown[] {
  const { size, wire } = listHeader(bytes);
  if (size > 0) requireWire(element, wire);
  return Array.from({ length: size }, () => valueFrom(element, bytes, wire));
}

const isList = (type: readonly [ThriftType] | ThriftStruct): type is readonly [ThriftType] => Array.isArray(type);

function eachField(bytes: ThriftBytes, visit: (id: number, wire: number) => void): void {
  let id = 0;
  for (;;) {
    const byte = bytes.view.getUint8(bytes.offset++);
    const wire = byte & 15;
    if (wire === wires.stop) return;
    id = byte >> 4 === 0 ? zigzag(bytes) : id + (byte >> 4);
    visit(id, wire);
  }
}

function skip(bytes: ThriftBytes, wire: number, depth: number): void {
  if (depth > deepest) throw new Error('fields are nested too deeply');
  switch (wire) {
    case wires.true:
    case wires.false:
      return;
    case wires.byte:
      take(bytes, 1);
      return;
    case wires.i16:
    case wires.i32:
    case wires.i64:
      varint(bytes);
      return;
    case wires.double:
      take(bytes, 8);
      return;
    case wires.binary:
      take(bytes, varint(bytes));
      return;
    case wires.list:
    case wires.set: {
      const header = listHeader(bytes);
      // Booleans take no byte as fields, but one as list elements.
      const element = header.wire <= wires.false ? wires.byte : header.wire;
      for (let i = 0; i < header.size; i++) skip(bytes, element, depth + 1);
      return;
    }
    case wires.struct:
      eachField(bytes, (_, inner) => skip(bytes, inner, depth + 1));
      return;
    default:
      throw new Error(`a field has the unknown type ${wire}`);
  }
}

function listHeader(bytes: ThriftBytes): { readonly size: number; readonly wire: number } {
  const byte = bytes.view.getUint8(bytes.offset++);
  const size = byte >> 4 === 15 ? varint(bytes) : byte >> 4;
  // An element takes at least one byte.
  if (size > bytes.view.byteLength - bytes.offset) throw new Error(`a list of ${size} extends beyond the end`);
  return { size, wire: byte & 15 };
}

/** Skips `length` bytes and returns where they begin. */
function take(bytes: ThriftBytes, length: number): number {
  const start = bytes.offset;
  if (length > bytes.view.byteLength - start) throw new Error(`${length} bytes extend beyond the end`);
  bytes.offset = start + length;
  return start;
}

function varint(bytes: ThriftBytes): number {
  let value = 0;
  for (let shift = 0; shift < 70; shift += 7) {
    const byte = bytes.view.getUint8(bytes.offset++);
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return value;
  }
  throw new Error('a variable-length number is not terminated');
}

function zigzag(bytes: ThriftBytes): number {
  const value = varint(bytes);
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

function requireWire(type: ThriftType, wire: number): void {
  const expected: readonly number[] =
    typeof type === 'string' ? scalarWires[type] : [isList(type) ? wires.list : wires.struct];
  if (!expected.includes(wire)) throw new Error(`a field has type ${wire} instead of ${expected[0]}`);
}
