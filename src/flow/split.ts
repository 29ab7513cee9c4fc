import { Observable } from 'rxjs';
import { ArgumentError, requireInteger } from '../errors.ts';
import type { Schedule } from '../plan/schedule.ts';
import type { Chunk } from '../sample/chunk.ts';
import { rowsBetween, type SampleBatch } from '../sample/sampleBatch.ts';
import type { Samples } from '../sample/samples.ts';
import { counted } from '../words.ts';
import { chunkOf } from './chunkPass.ts';

/**
 * Cuts one pass over `samples` into disjoint chunks: chunk t holds the next `chunks[t]` rows, so no row enters two of
 * them.
 *
 *   split(samples, { chunks: [2, 3] })
 *     0----1|          chunks are handles, given at once
 *     \\rr  \\rrr       rows are pulled when a chunk is iterated, in order; what an earlier chunk did not take is passed over
 *
 * The pass begins with the first pull and ends with the last chunk, with `release`, or with an error.
 *
 * @example
 * const rows = samplesOf(sampleBatch([new Float64Array(5)], new Float64Array(5)));
 * const sizes = [];
 * split(rows, { chunks: [2, 3] }).subscribe(chunk => sizes.push(chunk.rows));
 * sizes; // [2, 3]
 */
export function split(samples: Samples, { chunks }: Pick<Schedule, 'chunks'>): Observable<Chunk> {
  for (const [t, rows] of chunks.entries()) requireInteger(`chunks[${t}]`, rows, 0);
  const wanted = chunks.reduce((sum, rows) => sum + rows, 0);
  if (wanted > samples.rows) {
    throw new ArgumentError(
      `the schedule must use at most the source's ${counted(samples.rows, 'row')}, got ${wanted}`,
      'ERR_TOO_FEW_ROWS',
      { rows: samples.rows, needed: wanted },
    );
  }
  return new Observable(subscriber => {
    const cursor = rowCursor(samples);
    let start = 0;
    for (const [index, rows] of chunks.entries()) {
      if (subscriber.closed) return;
      const end = start + rows;
      subscriber.next(
        chunkOf(cursor, {
          index,
          rows,
          batches: cursor.between(start, end, end === wanted),
          release: cursor.close,
        }),
      );
      start = end;
    }
    subscriber.complete();
  });
}

interface RowCursor {
  between(start: number, end: number, last: boolean): AsyncIterable<SampleBatch>;
  close(): Promise<void>;
}

/** One shared pass that chunks take turns to pull. */
function rowCursor(samples: Samples): RowCursor {
  let pass: AsyncIterator<SampleBatch> | undefined;
  let batch: SampleBatch | undefined;
  let batchStart = 0;
  let closed = false;

  const close = async (): Promise<void> => {
    closed = true;
    const ending = pass;
    pass = undefined;
    batch = undefined;
    await ending?.return?.();
  };

  /** The batch that holds row `row`; rows before it are passed over. */
  const pullUntil = async (row: number): Promise<SampleBatch> => {
    if (closed)
      throw new ArgumentError('this chunk was released, or its pass has ended; read chunks in order, once');
    pass ??= samples.batches()[Symbol.asyncIterator]();
    if (row < batchStart)
      throw new ArgumentError(`row ${row} has been passed over; read chunks in order, once`);
    while (batch === undefined || row >= batchStart + batch.rows) {
      if (batch !== undefined) batchStart += batch.rows;
      const { value, done } = await pass.next();
      if (done)
        throw new ArgumentError(
          `the source ended after ${batchStart} of its ${counted(samples.rows, 'row')}`,
          'ERR_CHANGED',
          { rows: batchStart, expected: samples.rows },
        );
      batch = value;
    }
    return batch;
  };

  return {
    close,
    // An iterator by hand: simulations pull a chunk for every thousand rows, and a generator takes a tick more for
    // each.
    between: (start, end, last) => ({
      [Symbol.asyncIterator]() {
        let row = start;
        const ended = async (): Promise<IteratorReturnResult<undefined>> => {
          row = end;
          if (last) await close();
          return { value: undefined, done: true };
        };
        const pulled = async (): Promise<IteratorResult<SampleBatch, undefined>> => {
          try {
            const current = await pullUntil(row);
            const from = row - batchStart;
            const to = Math.min(current.rows, end - batchStart);
            row = batchStart + to;
            return { value: rowsBetween(current, from, to), done: false };
          } catch (error) {
            row = end;
            await close();
            throw error;
          }
        };
        return { next: () => (row < end ? pulled() : ended()), return: ended };
      },
    }),
  };
}
