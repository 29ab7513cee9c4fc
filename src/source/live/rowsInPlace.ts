import { isFiniteThroughout } from '../../sample/isFiniteThroughout.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';
import { doublesIn } from '../memory/doubleColumns.ts';
import type { ArrowBatch } from '../memory/rowSource.ts';
import type { TargetRule } from '../read/rowPolicy.ts';
import { type LiveDesign, type LiveReading, namesOf } from './liveDesign.ts';

/** The rows of a batch from one of them on; null for a batch that has to be decoded. */
export type RowsInPlace = (batch: ArrowBatch, from: number) => SampleBatch | null;

/**
 * A shorter way from most batches to rows: where every column that is read is one of doubles that are all finite, and
 * every target is one that the loss accepts, the numbers are taken as they lie. That is what decoding them would give.
 * A run that names rows in its errors, a private one and one with levels, dates, weights or units have none.
 */
export function rowsInPlace(
  { columns, categorical, times }: LiveDesign,
  { target, forPrivate, weights, unit, nulls }: LiveReading,
  targets: TargetRule | null,
): RowsInPlace {
  const isPlain =
    !forPrivate &&
    nulls !== 'error' &&
    weights === undefined &&
    unit === undefined &&
    times.length === 0 &&
    Object.keys(categorical).length === 0;
  if (!isPlain) return () => null;
  const names = [...namesOf({ columns }), target];
  return (batch, from) => {
    const { fields } = batch.schema;
    const found: Float64Array[] = [];
    for (const name of names) {
      const place = fields.findIndex(field => field.name === name);
      const values = place < 0 ? null : doublesIn(batch, place);
      if (values === null || !isFiniteThroughout(values)) return null;
      found.push(from === 0 ? values : values.subarray(from));
    }
    const own = found.pop()!;
    if (targets !== null && !own.every(value => targets.accepts(value))) return null;
    return { rows: batch.numRows - from, columns: found, target: own };
  };
}
