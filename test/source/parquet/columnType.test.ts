import { expect } from 'chai';
import { columnType } from '../../../src/source/parquet/columns.ts';
import type { SchemaElement } from '../../../src/source/parquet/format.ts';

const [BOOLEAN, INT32, INT64, INT96, FLOAT, DOUBLE, BYTE_ARRAY, FIXED] = [0, 1, 2, 3, 4, 5, 6, 7];

const kindOf = (element: SchemaElement): string => {
  const { kind, type } = columnType(element);
  return `${kind}: ${type}`;
};

describe('columnType', () => {
  it('takes a bare type for what it is', () => {
    expect([BOOLEAN, INT32, INT64, INT96, FLOAT, DOUBLE, BYTE_ARRAY].map(type => kindOf({ type }))).to.deep.equal([
      'boolean: BOOLEAN',
      'integer: INT32',
      'exact: INT64',
      'time: INT96',
      'float: FLOAT',
      'float: DOUBLE',
      'unsupported: BYTE_ARRAY',
    ]);
    expect(kindOf({ type: FIXED, typeLength: 7 })).to.equal('unsupported: FIXED_LEN_BYTE_ARRAY(7)');
    expect(kindOf({ type: 99 })).to.equal('unsupported: unknown type');
  });

  it('follows the annotation, old or new', () => {
    const pairs: [SchemaElement, string][] = [
      [{ type: INT32, convertedType: 6 }, 'time: INT32 (DATE)'],
      [{ type: INT32, logicalType: { DATE: {} } }, 'time: INT32 (DATE)'],
      [{ type: INT32, convertedType: 13 }, 'integer: INT32 (UINT_32)'],
      [{ type: INT32, logicalType: { INTEGER: { bits: 8, isSigned: true } } }, 'integer: INT32 (INT_8)'],
      [{ type: INT64, logicalType: { INTEGER: { bits: 64, isSigned: false } } }, 'exact: INT64 (UINT_64)'],
      [{ type: INT64, convertedType: 9 }, 'time: INT64 (TIMESTAMP_MILLIS)'],
      [{ type: INT64, logicalType: { TIMESTAMP: { unit: { nanos: {} } } } }, 'time: INT64 (TIMESTAMP nanos)'],
      [{ type: INT32, logicalType: { TIME: { unit: { millis: {} } } } }, 'time: INT32 (TIME millis)'],
      [{ type: INT32, convertedType: 5, scale: 2, precision: 9 }, 'exact: INT32 (DECIMAL(9, 2))'],
      [
        { type: BYTE_ARRAY, logicalType: { DECIMAL: { scale: 3, precision: 50 } } },
        'exact: BYTE_ARRAY (DECIMAL(50, 3))',
      ],
      [{ type: BYTE_ARRAY, convertedType: 0 }, 'text: BYTE_ARRAY (UTF8)'],
      [{ type: BYTE_ARRAY, logicalType: { STRING: {} } }, 'text: BYTE_ARRAY (STRING)'],
      [{ type: FIXED, typeLength: 2, logicalType: { FLOAT16: {} } }, 'float: FIXED_LEN_BYTE_ARRAY(2) (FLOAT16)'],
    ];
    for (const [element, expected] of pairs) expect(kindOf(element)).to.equal(expected);
  });

  it('does not guess at what an annotation makes of a type that it does not fit, or at one that it does not know', () => {
    const elements: SchemaElement[] = [
      { type: DOUBLE, logicalType: { DATE: {} } },
      { type: INT64, logicalType: {} },
      { type: INT32, convertedType: 99 },
      { type: INT64, logicalType: { TIMESTAMP: {} } },
      { type: INT64, logicalType: { TIMESTAMP: { unit: {} } } },
      { type: INT32, logicalType: { STRING: {} } },
      { type: FLOAT, convertedType: 5, scale: 1, precision: 3 },
      { type: INT32, convertedType: 5, scale: -1, precision: 3 },
      { type: FIXED, typeLength: 4, logicalType: { FLOAT16: {} } },
      { type: FIXED, typeLength: 16, logicalType: { UUID: {} } },
      { type: FIXED, typeLength: 12, convertedType: 21 },
      { type: BYTE_ARRAY, convertedType: 20 },
      { type: INT32, logicalType: { NULL: {} } },
    ];
    for (const element of elements) expect(columnType(element)).to.include({ kind: 'unsupported', layout: null });
  });
});
