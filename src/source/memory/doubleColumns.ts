import { Precision, Type } from 'apache-arrow/enum';
import type { ArrowData } from './heldBatch.ts';
import type { ArrowBatch } from './rowSource.ts';

/** A column of doubles without nulls as it lies in a batch; null for any other. */
export function doublesIn({ data, numRows }: ArrowBatch, place: number): Float64Array | null {
  const { type, nullCount, values } = data.children[place] as ArrowData;
  const isDouble = type.typeId === Type.Float && type.precision === Precision.DOUBLE;
  if (!isDouble || !(values instanceof Float64Array) || values.length < numRows || nullCount !== 0) return null;
  return values.length === numRows ? values : values.subarray(0, numRows);
}

/**
 * Columns of doubles as a record batch of this schema, as far as batches are read here: those of apache-arrow take as long
 * to make as to learn from.
 */
export function batchOfDoubles(
  schema: ArrowBatch['schema'],
  columns: readonly Float64Array[],
  rows: number,
): ArrowBatch {
  const children = columns.map((values, k): ArrowData => {
    const { type } = schema.fields[k]! as unknown as Pick<ArrowData, 'type'>;
    return { type, length: rows, offset: 0, stride: 1, nullCount: 0, values, children: [] };
  });
  return { schema, numRows: rows, data: { children } };
}
