import type { RecordBatch } from 'apache-arrow';

/**
 * A record batch of the columns `keep` of `kept`, where there are any, and of one more column of doubles behind them; a
 * row marked in `missing` has a null there. apache-arrow is loaded when the first batch is made.
 */
export async function withColumn(
  kept: RecordBatch | null,
  keep: readonly string[],
  name: string,
  values: Float64Array,
  missing?: Uint8Array,
): Promise<RecordBatch> {
  const { Field, Float64, makeData, RecordBatch, Schema, Struct } = await import('apache-arrow');
  const type = new Float64();
  const nullCount = missing?.reduce((count, mark) => count + mark, 0) ?? 0;
  const own = makeData({
    type,
    length: values.length,
    data: values,
    nullCount,
    ...(missing && nullCount > 0 && { nullBitmap: presenceOf(missing) }),
  });
  // RecordBatch.select leaves holes where columns are not in their first order.
  const places = kept ? keep.map(column => kept.schema.fields.findIndex(field => field.name === column)) : [];
  // Nullable in every batch alike, so that batches with and without nulls make one table.
  const fields = [...places.map(place => kept!.schema.fields[place]!), new Field(name, type, missing !== undefined)];
  return new RecordBatch(
    new Schema(fields),
    makeData({
      type: new Struct(fields),
      length: values.length,
      nullCount: 0,
      children: [...places.map(place => kept!.data.children[place]!), own],
    }),
  );
}

/** A bit for every row that has a value, the first row in the lowest bit. */
function presenceOf(missing: Uint8Array): Uint8Array {
  const bits = new Uint8Array(Math.ceil(missing.length / 8));
  missing.forEach((mark, i) => {
    if (mark === 0) bits[i >> 3]! |= 1 << (i & 7);
  });
  return bits;
}
