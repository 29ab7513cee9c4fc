import { convertedTypes, type SchemaElement } from './format.ts';

/** The meaning of a stored value, given in the file as a logical type or, by older writers, as a converted type. */
export type Annotation = { readonly name: string } & (
  | { readonly of: 'text' | 'date' | 'float16' | 'other' }
  | { readonly of: 'integer'; readonly isSigned: boolean }
  | { readonly of: 'decimal'; readonly scale: number }
  /** Times of day and timestamps. */
  | { readonly of: 'time'; readonly perSecond: number }
);

export function annotationOf(element: SchemaElement): Annotation | null {
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
  switch (name) {
    case 'UTF8':
    case 'ENUM':
    case 'JSON':
      return { name, of: 'text' };
    case 'DATE':
      return { name, of: 'date' };
    case 'DECIMAL':
      return decimal(precision, scale);
    case 'TIME_MILLIS':
    case 'TIMESTAMP_MILLIS':
      return { name, of: 'time', perSecond: perSecond.millis };
    case 'TIME_MICROS':
    case 'TIMESTAMP_MICROS':
      return { name, of: 'time', perSecond: perSecond.micros };
    case 'UINT_8':
    case 'UINT_16':
    case 'UINT_32':
    case 'UINT_64':
      return { name, of: 'integer', isSigned: false };
    case 'INT_8':
    case 'INT_16':
    case 'INT_32':
    case 'INT_64':
      return { name, of: 'integer', isSigned: true };
    default:
      return { name: name ?? 'unknown annotation', of: 'other' };
  }
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
