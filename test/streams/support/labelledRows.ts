import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { tableFromArrays, tableToIPC } from 'apache-arrow';
import type { Json, OpenLiveOptions, OpenStream, Position } from '../../../src/source/live/liveSource.ts';
import type { ArrowBatch } from '../../../src/source/memory/rowSource.ts';
import { arrivedRows } from '../../support/arrivedRows.ts';

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

const labelsIn = (batch: ArrowBatch): number[] => arrivedRows(batch).map(row => Number(row.label));

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
    const all = labelsIn(batch);
    const begin = skip;
    const end = Math.min(batch.numRows, begin + rows - labels.length);
    skip = 0;
    labels.push(...all.slice(begin, end));
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

export const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

/** The error of what must fail. */
export const failureOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => {
      throw new Error('it did not fail');
    },
    error => error,
  );

/** Reads labels in the background. */
export function readOn(stream: OpenStream, rows: number) {
  const labels: number[] = [];
  const waiting: { readonly rows: number; readonly go: () => void }[] = [];
  const read = async (): Promise<number[]> => {
    for await (const { batch } of stream.arrivals) {
      labels.push(...labelsIn(batch));
      for (const { rows: enough, go } of waiting) if (labels.length >= enough) go();
      if (labels.length >= rows) break;
    }
    await stream.close();
    return labels;
  };
  const done = read();
  done.catch(() => {});
  return {
    done,
    /** Resolves once so many rows were read; fails with the reading. */
    until: (enough: number): Promise<unknown> =>
      labels.length >= enough
        ? Promise.resolve()
        : Promise.race([done, new Promise<void>(go => waiting.push({ rows: enough, go }))]),
  };
}

/** Bytes of buffers that are in use: what is not was collected before. */
export function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().arrayBuffers;
}
