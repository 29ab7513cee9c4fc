import { tableFromArrays, tableToIPC } from 'apache-arrow';
import type { Json, OpenLiveOptions, OpenStream, Position } from '../../../src/source/live/liveSource.ts';

/** A row as JSON that is known by its label. */
export const labelledRow = (label: number): Buffer => Buffer.from(JSON.stringify({ label, y: label / 8 }));

/** Rows of consecutive labels as an Arrow stream: the label and 11 further doubles. */
export function labelledBatch(first: number, rows: number): Uint8Array {
  const column = (k: number) => Float64Array.from({ length: rows }, (_, i) => first + i + k / 16);
  const named = Array.from({ length: 12 }, (_, k) => [k === 0 ? 'label' : `x${k}`, column(k)]);
  return tableToIPC(tableFromArrays(Object.fromEntries(named)), 'stream');
}

/** Opened with no position and not privately, unless said otherwise. */
export const opening = (options: Partial<OpenLiveOptions> = {}): OpenLiveOptions => ({
  from: null,
  forPrivate: false,
  ...options,
});

/** What was read: labels in order, and the position behind the last one. */
export interface Labels {
  readonly labels: number[];
  readonly position: Position;
}

/**
 * Reads so many rows and leaves the stream, as a chunk would end: also within an item. The first `from.rows` rows of a
 * stream that was resumed are passed over.
 */
export async function labelsOf(stream: OpenStream, rows: number, from: Position | null = null): Promise<Labels> {
  const labels: number[] = [];
  let after: Json = from?.after ?? null;
  let inItem = from?.rows ?? 0;
  let skip = inItem;
  for await (const { batch, items } of stream.arrivals) {
    const column = (batch as unknown as { getChild(name: string): { get(row: number): number } }).getChild('label');
    const begin = skip;
    const end = Math.min(batch.numRows, begin + rows - labels.length);
    skip = 0;
    for (let row = begin; row < end; row++) labels.push(Number(column.get(row)));
    let left = end;
    for (const item of items) {
      if (left < item.rows) break;
      left -= item.rows;
      after = item.place;
    }
    inItem = left;
    if (labels.length >= rows) break;
  }
  await stream.close();
  return { labels, position: { after, rows: inItem } };
}
