/** The rows of a batch of a stream, which is one of apache-arrow, or doubles with as much of its shape as is read. */
import type { RecordBatch } from 'apache-arrow';
import type { ArrowBatch } from '../../src/source/memory/rowSource.ts';

export function arrivedRows(batch: ArrowBatch): readonly Readonly<Record<string, unknown>>[] {
  if ('toArray' in batch) return (batch as unknown as RecordBatch).toArray().map(row => row!.toJSON());
  const columns = batch.data.children as readonly { readonly values: Float64Array }[];
  return Array.from({ length: batch.numRows }, (_, i) =>
    Object.fromEntries(batch.schema.fields.map(({ name }, k) => [name, columns[k]!.values[i]])),
  );
}
