import { decimalValue } from '../table/doubles.ts';
import type { Field, FieldKind } from '../table/table.ts';
import { type Annotation, annotationOf } from './annotation.ts';
import { decimalBytes, float16 } from './byteLayout.ts';
import { type PhysicalType, physicalTypes, repetitions, type SchemaElement } from './format.ts';
import { requireCount } from './guarded.ts';
import type { ColumnLayout } from './layout.ts';
import { float32, float64, int32, int64, int96, mapped, roundedInt64, uint32, uint64 } from './numberLayout.ts';

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
  const [kind, layout] = annotation === null ? bare[physical] : annotated(physical, width, annotation);
  return { kind, type, physical, layout };
}

type Reading = readonly [kind: FieldKind, layout: ColumnLayout | null];

const unsupported: Reading = ['unsupported', null];

const bare: Readonly<Record<PhysicalType, Reading>> = {
  BOOLEAN: ['boolean', { of: 'bits' }],
  INT32: ['integer', int32],
  INT64: ['exact', int64],
  INT96: ['time', int96],
  FLOAT: ['float', float32],
  DOUBLE: ['float', float64],
  BYTE_ARRAY: unsupported,
  FIXED_LEN_BYTE_ARRAY: unsupported,
};

/** The combinations that the format defines. */
function annotated(physical: PhysicalType, width: number | null, annotation: Annotation): Reading {
  switch (annotation.of) {
    case 'text':
      return physical === 'BYTE_ARRAY' ? ['text', null] : unsupported;
    case 'integer':
      if (physical === 'INT32') return ['integer', annotation.isSigned ? int32 : uint32];
      return physical === 'INT64' ? ['exact', annotation.isSigned ? int64 : uint64] : unsupported;
    case 'date':
      return physical === 'INT32' ? ['time', mapped(int32, days => days * 86400)] : unsupported;
    case 'time': {
      const counts = physical === 'INT32' ? int32 : physical === 'INT64' ? roundedInt64 : null;
      const { perSecond } = annotation;
      return counts === null ? unsupported : ['time', mapped(counts, count => count / perSecond)];
    }
    case 'decimal': {
      const value = decimalValue(annotation.scale);
      if (physical === 'INT32') return ['exact', mapped(int32, value)];
      if (physical === 'INT64') return ['exact', mapped(int64, value)];
      return physical === 'BYTE_ARRAY' || width ? ['exact', decimalBytes(width, value)] : unsupported;
    }
    case 'float16':
      return width === 2 ? ['float', float16] : unsupported;
    default:
      return unsupported;
  }
}
