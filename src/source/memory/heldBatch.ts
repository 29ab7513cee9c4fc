import { MetadataVersion, Type } from 'apache-arrow/enum';
import { dataError } from '../../errors.ts';
import type { OpenBatch } from '../arrow/arrowTable.ts';
import { type ArrowType, arrowType, encodedType, type TypeParameters } from '../arrow/arrowType.ts';
import type { BatchColumn } from '../arrow/batch.ts';
import { type Dictionary, emptyDictionary, readDictionary } from '../arrow/dictionary.ts';
import type { Plain } from '../arrow/plain.ts';
import { type Damaged, damagedAt, type Region } from '../arrow/region.ts';
import type { ArrowColumn, ArrowSchema } from '../arrow/schema.ts';
import { type ArrowBatch, type ColumnValues, isBatch } from './rowSource.ts';

/** Keeps bytes, or makes a copy of them if they are borrowed. */
export type Store = (bytes: Uint8Array, damaged: Damaged) => Region;

/** Consecutive batches of one schema. */
export interface HeldBatches {
  readonly schema: ArrowSchema;
  /** The number of batches before the first. */
  readonly first: number;
  readonly batches: HeldBatch[];
}

/**
 * Record batches of apache-arrow as the readers of Arrow files see theirs: regions of bytes, in the order of the
 * format. The bytes are those of the batch itself, or copies, wherever `store` puts them. Types are translated by their
 * numbers and parameters, because another copy of apache-arrow has other classes.
 */
export interface HeldBatch {
  readonly rows: number;
  /** Undefined for a column of a type that is not read. */
  readonly columns: readonly (HeldColumn | undefined)[];
}

interface HeldColumn {
  readonly rows: number;
  readonly nulls: number;
  readonly firstBit: number;
  readonly buffers: readonly Region[];
  readonly variadic: number;
  readonly child?: HeldColumn;
  readonly dictionary?: HeldDictionary;
}

/** The values that indices refer to, in the pieces in which they came. */
interface HeldDictionary {
  readonly plain: Plain;
  readonly pieces: readonly HeldColumn[];
}

type TypedArray = Exclude<ColumnValues, readonly unknown[]>;

/** As much of an apache-arrow `Data` as is read. In a slice, `offset` applies to bits; other values are cut already. */
export interface ArrowData {
  readonly type: TypeShape;
  readonly length: number;
  readonly offset: number;
  readonly stride: number;
  readonly nullCount: number;
  readonly nullBitmap?: Uint8Array | null | undefined;
  readonly valueOffsets?: Int32Array | BigInt64Array | undefined;
  readonly values?: TypedArray | undefined;
  readonly variadicBuffers?: readonly Uint8Array[];
  readonly children: readonly ArrowData[];
  readonly dictionary?: { readonly data: readonly ArrowData[] } | undefined;
}

/** A type by its number, with the parameters that `PARAMETERS` names. */
export type TypeShape = { readonly typeId: number } & Readonly<Record<string, unknown>>;

/** `name` is that of the source, for messages. */
export function batchHolder(name: string, store: Store) {
  const groups: HeldBatches[] = [];
  const dictionaries = new WeakMap<object, HeldDictionary>();
  let count = 0;
  let latest: unknown;

  /** Batches mostly share a dictionary, which is then held once. */
  const dictionaryOf = ({ dictionary }: ArrowData, { name: column, type }: ArrowColumn): HeldDictionary => {
    const known = dictionary && dictionaries.get(dictionary);
    if (known !== undefined) return known;
    const damaged = damagedAt({ table: name, column });
    const pieces = dictionary?.data.map(data => hold(data, store, damaged)) ?? [];
    const held = { plain: type.plain!, pieces };
    if (dictionary) dictionaries.set(dictionary, held);
    return held;
  };

  return {
    groups,
    /** Holds a batch, and returns its number of rows. */
    add(batch: ArrowBatch): number {
      if (!isBatch(batch)) {
        const got = batch === null || typeof batch !== 'object' ? String(batch) : 'another object';
        throw dataError(
          { table: name },
          `item ${count} must be a record batch of apache-arrow, got ${got}`,
          'give record batches, or a table',
        );
      }
      const { schema: given, numRows: rows } = batch;
      const children = batch.data.children as readonly ArrowData[];
      let group = groups.at(-1);
      if (group === undefined || given !== latest) {
        const schema = schemaOf(batch, name);
        if (group === undefined || !isSame(group.schema, schema)) {
          group = { schema, first: count, batches: [] };
          groups.push(group);
        }
        latest = given;
      }
      count++;
      const { schema, batches } = group;
      if (rows === 0) return 0;
      const columns = schema.columns.map((column, k) => {
        const { reader } = column.type;
        if (reader.fill === undefined && reader.fillLevels === undefined) return undefined;
        const held = hold(children[k]!, store, damagedAt({ table: name, column: column.name }));
        const values = schema.dictionaries.get(k);
        return values === undefined ? held : { ...held, dictionary: dictionaryOf(children[k]!, values) };
      });
      batches.push({ rows, columns });
      return rows;
    },
  };
}

/** Types by their names, which have all their parameters. */
const isSame = ({ columns: a }: ArrowSchema, { columns: b }: ArrowSchema): boolean =>
  a.length === b.length && a.every(({ name, type }, k) => name === b[k]!.name && type.name === b[k]!.type.name);

/** Dictionaries are numbered by their columns. */
function schemaOf({ schema: { fields }, data }: ArrowBatch, table: string): ArrowSchema {
  const dictionaries = new Map<number, ArrowColumn>();
  const columns = fields.map(({ name, type: declared }, k): ArrowColumn => {
    const damaged = damagedAt({ table, column: name });
    const type = (data.children[k] as ArrowData | undefined)?.type ?? (declared as TypeShape);
    if (type.typeId === Type.Dictionary) {
      const values = { name, type: typeOf(type.dictionary as TypeShape, damaged), dictionary: undefined };
      dictionaries.set(k, values);
    }
    return { name, type: typeOf(type, damaged, k), dictionary: dictionaries.has(k) ? k : undefined };
  });
  return { columns, dictionaries };
}

function typeOf(type: TypeShape, damaged: Damaged, id = 0): ArrowType {
  if (type.typeId === Type.Dictionary) {
    const [index, values] = [type.indices, type.dictionary] as readonly TypeShape[];
    return encodedType(id, parametersOf(index!), typeOf(values!, damaged), damaged);
  }
  const fields = (type.children ?? []) as readonly { readonly type: TypeShape }[];
  const children = fields.map(field => typeOf(field.type, damaged));
  const spelling = { id: type.typeId, parameters: parametersOf(type), children, version: MetadataVersion.V5 };
  return arrowType(spelling, damaged);
}

/** The parameters of types, in the order in which the format writes them. */
const PARAMETERS: Readonly<Record<number, readonly string[]>> = {
  [Type.Int]: ['bitWidth', 'isSigned'],
  [Type.Float]: ['precision'],
  [Type.Decimal]: ['precision', 'scale', 'bitWidth'],
  [Type.Date]: ['unit'],
  [Type.Time]: ['unit', 'bitWidth'],
  [Type.Timestamp]: ['unit', 'timezone'],
  [Type.Duration]: ['unit'],
  [Type.Union]: ['mode'],
  [Type.FixedSizeList]: ['listSize'],
};

function parametersOf(type: TypeShape): TypeParameters {
  const names = PARAMETERS[type.typeId] ?? [];
  const number = (member: number, absent = 0): number => (type[names[member]!] as number) ?? absent;
  return {
    short: number,
    int: number,
    bool: member => type[names[member]!] === true,
    string: member => (type[names[member]!] as string | null) ?? '',
  };
}

function hold(data: ArrowData, store: Store, damaged: Damaged): HeldColumn {
  const { type, length: rows, offset, nullBitmap, stride, variadicBuffers = [] } = data;
  const keep = (view: ArrayBufferView, from = 0, to = view.byteLength): Region =>
    store(new Uint8Array(view.buffer, view.byteOffset + from, to - from), damaged);
  // Of bits, whole bytes are kept.
  const keepBits = (view: ArrayBufferView): Region =>
    keep(view, ...[offset >> 3, (offset + rows + 7) >> 3].map(byte => Math.min(byte, view.byteLength)));
  const values = (): readonly Region[] => {
    if (data.values === undefined) return [];
    if (type.typeId === Type.Bool) return [keepBits(data.values)];
    if (data.valueOffsets === undefined) return [keep(filled(data.values, rows * stride))];
    const offsets = filled(data.valueOffsets, rows + 1, data.valueOffsets.at(-1));
    const [from, to] = [Number(offsets[0]), Number(offsets[rows])];
    const isOrdered = from >= 0 && from <= to && to <= data.values.byteLength;
    // Readers refuse other offsets.
    return [keep(offsets), isOrdered ? shifted(keep(data.values, from, to), from) : keep(data.values)];
  };
  return {
    rows,
    nulls: nullBitmap && nullBitmap.byteLength > 0 ? data.nullCount : 0,
    firstBit: offset & 7,
    buffers: [keepBits(nullBitmap ?? NOTHING), ...values(), ...variadicBuffers.map(view => keep(view))],
    variadic: variadicBuffers.length,
    ...(type.typeId === Type.FixedSizeList && { child: hold(data.children[0]!, store, damaged) }),
  };
}

const NOTHING = new Uint8Array(0);

/** A table of columns of different lengths has nulls behind the shorter ones, without memory for their values. */
function filled(values: TypedArray, length: number, by?: number | bigint): TypedArray {
  if (values.length >= length) return values;
  const whole = new (values.constructor as typeof Float64Array)(length);
  // As if these were doubles; they are of the same type, whichever that is.
  whole.set(values as Float64Array);
  return by === undefined ? whole : whole.fill(by as number, values.length);
}

/** Bytes from position `first` on of a region that begins before them. */
const shifted = (region: Region, first: number): Region => ({
  length: first + region.length,
  read: (from, into) => region.read(from - first, into),
  bytes: (from, length) => region.bytes(from - first, length),
  part: (from, length, damaged) => region.part(from - first, length, damaged),
});

/** Opens a batch for one frame; `dictionaries` are those of its columns. */
export const openHeld =
  ({ rows, columns }: HeldBatch, dictionaries: ReadonlyMap<number, Dictionary>): OpenBatch =>
  ({ damaged }) => ({
    rows,
    column: index => {
      const open = (held: HeldColumn, width: number): BatchColumn => {
        if (held.rows < rows * width) throw damaged(`has ${held.rows} values in a record batch of ${rows} rows`, index);
        return {
          ...held,
          buffer: async k => held.buffers[k]!,
          child: childWidth => open(held.child!, childWidth),
          dictionary: () => dictionaries.get(index) ?? emptyDictionary,
          damaged: (problem, row) => damaged(problem, index, row === undefined ? row : Math.floor(row / width)),
        };
      };
      return open(columns[index] ?? { ...UNREAD, rows }, 1);
    },
  });

const UNREAD = { nulls: 0, firstBit: 0, buffers: [], variadic: 0 };

/** Decodes the values of a dictionary; `column` is its column's name. */
export async function readHeld({ plain, pieces }: HeldDictionary, table: string, column: string): Promise<Dictionary> {
  const names = {
    nameOf: () => column,
    damaged: (problem: string, _?: number, entry?: number) =>
      dataError({ table, column }, `dictionary${entry === undefined ? '' : `, entry ${entry}`}: ${problem}`),
  };
  let read = emptyDictionary;
  for (const piece of pieces) {
    const { column } = openHeld({ rows: piece.rows, columns: [piece] }, new Map())(names);
    read = await readDictionary(plain, column(0), read);
  }
  return read;
}
