import { decimalValue } from '../table/doubles.ts';
import type { FieldKind } from '../table/table.ts';
import { type Annotation, annotationOf } from './annotation.ts';
import { decimalBytes, float16 } from './byteLayout.ts';
import { type PhysicalType, physicalTypes, type SchemaElement } from './format.ts';
import { requireCount } from './guarded.ts';
import type { ColumnLayout } from './layout.ts';
import {
  float32,
  float64,
  int32,
  int64,
  int96,
  mapped,
  roundedInt64,
  uint32,
  uint64,
} from './numberLayout.ts';

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
