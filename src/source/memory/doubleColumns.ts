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
  const children = columns.map((values, k) => dataOf(values, schema.fields[k]! as unknown as ArrowData));
  return { schema, numRows: rows, data: { children } };
}

/** A batch whose columns of doubles without nulls are in memory of their own. */
export function withOwnDoubles(batch: ArrowBatch): ArrowBatch {
  const { schema, numRows, data } = batch;
  const children = data.children.map((child, k) => {
    const values = doublesIn(batch, k);
    return values === null ? child : dataOf(values.slice(), child as ArrowData);
  });
  return { schema, numRows, data: { children } };
}

const dataOf = (values: Float64Array, { type }: Pick<ArrowData, 'type'>): ArrowData => ({
  ...{ type, length: values.length, offset: 0, stride: 1, nullCount: 0, values, children: [] },
});
