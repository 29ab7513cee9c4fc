import { decimalType, longIntegers, stored, timeType } from '../table/numberType.ts';
import type { Field, FieldKind } from '../table/table.ts';
import { type ColumnLayout, decimalBytes, float16, int96, numbers } from './columnLayout.ts';
import { convertedTypes, type PhysicalType, physicalTypes, repetitions, type SchemaElement } from './format.ts';
import { requireCount } from './guarded.ts';

/** A field of the table, and where and how its values are stored. */
export interface Column {
  readonly field: Field;
  readonly path: readonly string[];
  /** The index among the column chunks of a row group: of the first, if several make up an unsupported field. */
  readonly chunk: number;
  readonly physical: ColumnType['physical'];
  readonly layout: ColumnType['layout'];
  /**
   * The definition level of a value that is present: the number of nullable elements among it and the structs around
   * it.
   */
  readonly highestLevel: number;
}

/**
 * The columns of a schema: a tree, listed with each element before its children. A leaf of a struct is a column named
 * 'struct.leaf'. Anything repeated within a row is one unsupported column, and so is a group whose annotation makes it
 * more than a struct.
 */
export function columnsOf(schema: readonly SchemaElement[]): readonly Column[] {
  const columns: Column[] = [];
  let next = 0;
  let chunk = 0;

  const take = (): SchemaElement => {
    const element = schema[next++];
    if (element === undefined) throw new Error('its schema ends early');
    return element;
  };

  const add = (path: readonly string[], highestLevel: number, { kind, type, physical, layout }: ColumnType): void => {
    const field = Object.freeze({ name: path.join('.'), kind, type, width: 1 });
    columns.push(Object.freeze({ field, path, chunk, physical, layout, highestLevel }));
  };

  const addUnsupported = (path: readonly string[], type: string): void =>
    add(path, 0, { kind: 'unsupported', type, physical: null, layout: null });

  const skip = (children = 0): void => {
    for (let i = 0; i < children; i++) {
      const element = take();
      if (element.type === undefined) skip(element.children);
      else chunk++;
    }
  };

  const visit = (parent: readonly string[], children = 0, level = 0): void => {
    for (let i = 0; i < children; i++) {
      const element = take();
      const path = [...parent, element.name ?? ''];
      const annotation = annotationOf(element);
      const isRepeated = element.repetition === repetitions.repeated;
      const highestLevel = level + (element.repetition === repetitions.optional ? 1 : 0);
      if (element.type !== undefined) {
        const type = columnType(element);
        if (isRepeated) addUnsupported(path, `repeated ${type.type}`);
        else add(path, highestLevel, type);
        chunk++;
      } else if (isRepeated || annotation !== null) {
        addUnsupported(path, annotation?.name ?? 'repeated group');
        skip(element.children);
      } else visit(path, element.children, highestLevel);
    }
  };

  visit([], take().children);
  if (next !== schema.length) throw new Error(`its schema uses ${next} of its ${schema.length} elements`);
  return Object.freeze(columns);
}

export interface ColumnType {
  readonly kind: FieldKind;
  /** The format's name for it: 'INT64 (TIMESTAMP micros)'. */
  readonly type: string;
  /** The storage type; null if it is unknown. */
  readonly physical: PhysicalType | null;
  /** Null for texts, whose numbers depend on the requested levels, and for unsupported types. */
  readonly layout: ColumnLayout | null;
}

/** The type of a leaf of the schema: its storage type as interpreted by its annotation. */
export function columnType(element: SchemaElement): ColumnType {
  const physical = physicalTypes[element.type!];
  if (physical === undefined) {
    return { kind: 'unsupported', type: 'unknown type', physical: null, layout: null };
  }
  const annotation = annotationOf(element);
  const width = physical === 'FIXED_LEN_BYTE_ARRAY' ? requireCount('bytes', element.typeLength) : null;
  const stored = width === null ? physical : `${physical}(${width})`;
  const type = annotation === null ? stored : `${stored} (${annotation.name})`;
  const [kind, layout] = annotation === null ? bare(physical) : annotated(physical, width, annotation);
  return { kind, type, physical, layout };
}

type Reading = readonly [kind: FieldKind, layout: ColumnLayout | null];

const unsupported: Reading = ['unsupported', null];

/** A storage type without an annotation. */
function bare(physical: PhysicalType): Reading {
  switch (physical) {
    case 'BOOLEAN':
      return ['boolean', { of: 'bits' }];
    case 'INT32':
      return ['integer', numbers(stored(Int32Array))];
    case 'INT64':
      return ['exact', numbers(longIntegers(Int32Array))];
    case 'INT96':
      return ['time', numbers(int96)];
    case 'FLOAT':
      return ['float', numbers(stored(Float32Array))];
    case 'DOUBLE':
      return ['float', numbers(stored(Float64Array))];
    default:
      return unsupported;
  }
}

/** The combinations that the format defines. */
function annotated(physical: PhysicalType, width: number | null, annotation: Annotation): Reading {
  switch (annotation.of) {
    case 'text':
      return physical === 'BYTE_ARRAY' ? ['text', null] : unsupported;
    case 'integer':
      if (physical === 'INT32') return ['integer', numbers(stored(annotation.isSigned ? Int32Array : Uint32Array))];
      return physical === 'INT64'
        ? ['exact', numbers(longIntegers(annotation.isSigned ? Int32Array : Uint32Array))]
        : unsupported;
    case 'date':
      return physical === 'INT32' ? ['time', numbers(timeType(4, { seconds: 86400 }))] : unsupported;
    case 'time':
      if (physical === 'INT32') return ['time', numbers(timeType(4, annotation))];
      return physical === 'INT64' ? ['time', numbers(timeType(8, annotation))] : unsupported;
    case 'decimal': {
      const { scale } = annotation;
      if (physical === 'INT32') return ['exact', numbers(decimalType(4, scale))];
      if (physical === 'INT64') return ['exact', numbers(decimalType(8, scale))];
      return physical === 'BYTE_ARRAY' || width ? ['exact', decimalBytes(width, scale)] : unsupported;
    }
    case 'float16':
      return width === 2 ? ['float', float16] : unsupported;
    default:
      return unsupported;
  }
}

/** The meaning of a stored value, given in the file as a logical type or, by older writers, as a converted type. */
type Annotation = { readonly name: string } & (
  | { readonly of: 'text' | 'date' | 'float16' | 'other' }
  | { readonly of: 'integer'; readonly isSigned: boolean }
  | { readonly of: 'decimal'; readonly scale: number }
  /** Times of day and timestamps. */
  | { readonly of: 'time'; readonly perSecond: number }
);

function annotationOf(element: SchemaElement): Annotation | null {
  if (element.logicalType !== undefined) return fromLogicalType(element.logicalType);
  return element.convertedType === undefined ? null : fromConvertedType(element);
}

function fromLogicalType(logical: NonNullable<SchemaElement['logicalType']>): Annotation {
  const { DECIMAL, INTEGER } = logical;
  const time = logical.TIMESTAMP ?? logical.TIME;
  // A type not in this list may mean anything, so it is not read as the type it is stored as.
  const name = Object.keys(logical)[0] ?? 'unknown annotation';
  if (logical.STRING ?? logical.ENUM ?? logical.JSON) return { name, of: 'text' };
  if (logical.DATE) return { name, of: 'date' };
  if (logical.FLOAT16) return { name, of: 'float16' };
  if (DECIMAL) return decimal(DECIMAL.precision, DECIMAL.scale);
  if (INTEGER) return integer(INTEGER.bits, INTEGER.isSigned ?? true);
  if (time) {
    const unit = Object.keys(time.unit ?? {})[0] as keyof typeof perSecond | undefined;
    return unit === undefined
      ? { name, of: 'other' }
      : { name: `${name} ${unit}`, of: 'time', perSecond: perSecond[unit] };
  }
  return { name, of: 'other' };
}

function fromConvertedType({ convertedType, scale, precision }: SchemaElement): Annotation {
  const name = convertedTypes[convertedType!];
  if (name === 'UTF8' || name === 'ENUM' || name === 'JSON') return { name, of: 'text' };
  if (name === 'DATE') return { name, of: 'date' };
  if (name === 'DECIMAL') return decimal(precision, scale);
  const [, kind, detail] = /^(TIME|TIMESTAMP|UINT|INT)_(MILLIS|MICROS|\d+)$/.exec(name ?? '') ?? [];
  if (kind === 'INT' || kind === 'UINT') return { name: name!, of: 'integer', isSigned: kind === 'INT' };
  if (kind !== undefined)
    return { name: name!, of: 'time', perSecond: detail === 'MILLIS' ? perSecond.millis : perSecond.micros };
  return { name: name ?? 'unknown annotation', of: 'other' };
}

const perSecond = { millis: 1e3, micros: 1e6, nanos: 1e9 } as const;

const integer = (bits: number | undefined, isSigned: boolean): Annotation => ({
  name: `${isSigned ? 'INT' : 'UINT'}_${bits}`,
  of: 'integer',
  isSigned,
});

function decimal(precision: number | undefined, scale = 0): Annotation {
  const name = `DECIMAL(${precision}, ${scale})`;
  return scale >= 0 && scale <= 1000 ? { name, of: 'decimal', scale } : { name, of: 'other' };
}
