import { DateUnit, MetadataVersion, Precision, TimeUnit, Type, UnionMode } from 'apache-arrow/enum';
import { decimalType, float16, longIntegers, type StoredArray, stored, timeType } from '../table/numberType.ts';
import type { FieldKind } from '../table/table.ts';
import type { Extent } from './batch.ts';
import { type ColumnReader, encodedColumn, plainColumn, unsupported, vectorColumn } from './columnReader.ts';
import type { FlatTable } from './flatbuffer.ts';
import { booleans, numbers, type Plain } from './plain.ts';
import type { Damaged } from './region.ts';
import { texts, textViews } from './texts.ts';

export interface ArrowType {
  readonly name: string;
  readonly kind: FieldKind;
  readonly width: number;
  readonly extent: Extent;
  readonly reader: ColumnReader;
  /** Set for types whose values may be entries of a dictionary. */
  readonly plain?: Plain;
}

/** The parameters of a type, numbered: a table specific to the type. */
export type TypeParameters = Pick<FlatTable, 'short' | 'int' | 'bool' | 'string'>;

/** A type as written in a field of the schema. */
export interface TypeSpelling {
  readonly id: number;
  readonly parameters: TypeParameters | undefined;
  readonly children: readonly ArrowType[];
  readonly version: MetadataVersion;
}

/** Arrow's types: the name of each, its kind for an estimator, its part of a batch, and how it is read. */
export function arrowType(spelling: TypeSpelling, damaged: Damaged): ArrowType {
  const { id, parameters, children, version } = spelling;
  const short = (member: number, absent = 0): number => parameters?.short(member, absent) ?? absent;
  const int = (member: number, absent = 0): number => parameters?.int(member, absent) ?? absent;
  /** The entry selected by a parameter. */
  const chosen = <T>(entries: Readonly<Record<number, T>>, key: number): T => {
    const entry = entries[key];
    if (entry === undefined) throw damaged(`metadata is damaged: type ${Type[id]} has the unknown parameter ${key}`);
    return entry;
  };

  switch (id) {
    case Type.Int:
      return integer(int(0), parameters?.bool(1) ?? false, damaged);
    case Type.Float:
      return chosen(FLOATS, short(0))();
    case Type.Decimal: {
      const [precision, scale, bits] = [int(0), int(1), int(2, 128)];
      const name = `Decimal${bits}(${precision}, ${scale})`;
      const bytes = chosen(DECIMAL_BYTES, bits);
      if (Math.abs(scale) > MOST_DIGITS) return opaque(name, 2);
      return plainType(name, 'exact', numbers(decimalType(bytes, scale)));
    }
    case Type.Bool:
      return plainType('Bool', 'boolean', booleans);
    case Type.Date:
      return chosen(DATES, short(0, DateUnit.MILLISECOND))();
    case Type.Time: {
      const [unit, bits] = [chosen(UNITS, short(0, TimeUnit.MILLISECOND)), int(1, 32)];
      return time(`Time${bits}(${unit.name})`, chosen(TIME_BYTES, bits), unit);
    }
    case Type.Timestamp: {
      const unit = chosen(UNITS, short(0));
      const zone = parameters?.string(1);
      return time(`Timestamp(${unit.name}${zone ? `, ${zone}` : ''})`, 8, unit);
    }
    case Type.Duration: {
      const unit = chosen(UNITS, short(0, TimeUnit.MILLISECOND));
      return time(`Duration(${unit.name})`, 8, unit);
    }
    case Type.Utf8:
      return plainType('Utf8', 'text', texts(4), 3);
    case Type.LargeUtf8:
      return plainType('LargeUtf8', 'text', texts(8), 3);
    case Type.Utf8View:
      return { ...plainType('Utf8View', 'text', textViews), extent: { nodes: 1, buffers: 2, views: 1 } };
    case Type.BinaryView:
      return { ...opaque('BinaryView', 2), extent: { nodes: 1, buffers: 2, views: 1 } };
    case Type.FixedSizeList:
      return fixedSizeList(int(0), children, damaged);
    // Before V5 these two had a validity bitmap.
    case Type.Union: {
      const buffers = short(0) === UnionMode.Dense ? 2 : 1;
      return opaque('Union', buffers + (version < MetadataVersion.V5 ? 1 : 0), children);
    }
    case RUN_END_ENCODED:
      return opaque('RunEndEncoded', version < MetadataVersion.V5 ? 1 : 0, children);
    default: {
      const other = OTHERS[id];
      if (other === undefined) throw damaged(`metadata is damaged: a column has the unknown type ${id}`);
      return opaque(other.name, other.buffers, children);
    }
  }
}

/** The type of a column whose values are entries of dictionary `id`, referred to by index. */
export function encodedType(
  id: number,
  indexParameters: TypeParameters | undefined,
  values: ArrowType,
  damaged: Damaged,
): ArrowType {
  const index = integer(indexParameters?.int(0) ?? 32, indexParameters?.bool(1) ?? true, damaged);
  const name = `Dictionary<${index.name}, ${values.name}>`;
  if (values.plain === undefined || index.plain?.of !== 'numbers') return opaque(name, 2);
  const { kind, width } = values;
  return { name, kind, width, extent: own(2), reader: encodedColumn(id, index.plain, values.plain.of) };
}

const own = (buffers: number): Extent => ({ nodes: 1, buffers, views: 0 });

function plainType(name: string, kind: FieldKind, plain: Plain, buffers = 2): ArrowType {
  return { name, kind, width: 1, extent: own(buffers), reader: plainColumn(plain), plain };
}

/** A type that is skipped rather than read. */
function opaque(name: string, buffers: number, children: readonly ArrowType[] = []): ArrowType {
  const extent = children.reduce(
    (sum, child) => ({
      nodes: sum.nodes + child.extent.nodes,
      buffers: sum.buffers + child.extent.buffers,
      views: sum.views + child.extent.views,
    }),
    own(buffers),
  );
  const inner = children.length === 0 ? '' : `<${children.map(child => child.name).join(', ')}>`;
  return { name: name + inner, kind: 'unsupported', width: 1, extent, reader: unsupported };
}

function fixedSizeList(width: number, children: readonly ArrowType[], damaged: Damaged): ArrowType {
  const [element] = children;
  if (element === undefined || children.length > 1 || width < 0) {
    throw damaged(`metadata is damaged: a list of ${width} values of ${children.length} types`);
  }
  const list = opaque(`FixedSizeList[${width}]`, 1, children);
  const isNumeric = ['float', 'integer', 'exact'].includes(element.kind);
  if (!isNumeric || element.plain?.of !== 'numbers' || width < 1 || width > WIDEST) return list;
  return { ...list, kind: 'vector', width, reader: vectorColumn(element.plain, width) };
}

function integer(bits: number, isSigned: boolean, damaged: Damaged): ArrowType {
  const name = `${isSigned ? 'Int' : 'Uint'}${bits}`;
  if (bits === 64) return plainType(name, 'exact', numbers(longIntegers(isSigned ? Int32Array : Uint32Array)));
  const array = (isSigned ? SIGNED : UNSIGNED)[bits];
  if (array === undefined) throw damaged(`metadata is damaged: an integer of ${bits} bits`);
  return plainType(name, 'integer', numbers(stored(array)));
}

/** By number of bits. */
const SIGNED: Readonly<Record<number, StoredArray>> = { 8: Int8Array, 16: Int16Array, 32: Int32Array };
const UNSIGNED: Readonly<Record<number, StoredArray>> = { 8: Uint8Array, 16: Uint16Array, 32: Uint32Array };

const FLOATS: Readonly<Record<number, () => ArrowType>> = {
  [Precision.HALF]: () => plainType('Float16', 'float', numbers(float16)),
  [Precision.SINGLE]: () => plainType('Float32', 'float', numbers(stored(Float32Array))),
  [Precision.DOUBLE]: () => plainType('Float64', 'float', numbers(stored(Float64Array))),
};

const DECIMAL_BYTES: Readonly<Record<number, number>> = { 32: 4, 64: 8, 128: 16, 256: 32 };

/** The largest precision of Decimal256. */
const MOST_DIGITS = 76;

const DATES: Readonly<Record<number, () => ArrowType>> = {
  [DateUnit.DAY]: () => plainType('Date32', 'time', numbers(timeType(4, { seconds: 86400 }))),
  [DateUnit.MILLISECOND]: () => plainType('Date64', 'time', numbers(timeType(8, { perSecond: 1e3 }))),
};

interface Unit {
  readonly name: string;
  readonly perSecond: number;
}

const UNITS: Readonly<Record<number, Unit>> = {
  [TimeUnit.SECOND]: { name: 's', perSecond: 1 },
  [TimeUnit.MILLISECOND]: { name: 'ms', perSecond: 1e3 },
  [TimeUnit.MICROSECOND]: { name: 'us', perSecond: 1e6 },
  [TimeUnit.NANOSECOND]: { name: 'ns', perSecond: 1e9 },
};

const TIME_BYTES: Readonly<Record<number, 4 | 8>> = { 32: 4, 64: 8 };

const time = (name: string, bytes: 4 | 8, unit: Unit): ArrowType =>
  plainType(name, 'time', numbers(timeType(bytes, unit)));

/** More features than any estimate here could have; a damaged width must not make a caller allocate columns for it. */
const WIDEST = 2 ** 20;

/** A type that apache-arrow does not know. */
const RUN_END_ENCODED = 22;

/**
 * Types that are not read, with the number of buffers of each, not counting its children's; apache-arrow has no names
 * for the last two.
 */
const OTHERS: Readonly<Record<number, { readonly name: string; readonly buffers: number }>> = {
  [Type.Null]: { name: 'Null', buffers: 0 },
  [Type.Binary]: { name: 'Binary', buffers: 3 },
  [Type.LargeBinary]: { name: 'LargeBinary', buffers: 3 },
  [Type.FixedSizeBinary]: { name: 'FixedSizeBinary', buffers: 2 },
  [Type.Interval]: { name: 'Interval', buffers: 2 },
  [Type.List]: { name: 'List', buffers: 2 },
  [Type.LargeList]: { name: 'LargeList', buffers: 2 },
  [Type.Map]: { name: 'Map', buffers: 2 },
  [Type.Struct]: { name: 'Struct', buffers: 1 },
  25: { name: 'ListView', buffers: 3 },
  26: { name: 'LargeListView', buffers: 3 },
};
