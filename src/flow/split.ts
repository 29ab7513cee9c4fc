import { Observable } from 'rxjs';
import { ArgumentError, requireInteger } from '../errors.ts';
import type { Chunk } from '../sample/chunk.ts';
import { rowsBetween, type SampleBatch } from '../sample/sampleBatch.ts';
import type { Samples } from '../sample/samples.ts';
import { knownSource, type RowSource } from '../source/memory/rowSource.ts';
import type { OpenRowsOptions } from '../source/read/openRows.ts';
import { counted } from '../words.ts';
import { chunkOf } from './chunkPass.ts';

/** How `split` reads its rows, and the numbers of rows of its chunks. */
export type SplitOptions = OpenRowsOptions & { readonly chunks: Iterable<number> };

/**
 * Cuts one pass over rows into disjoint chunks: chunk t holds the next `chunks[t]` rows, so no row enters two of them.
 *
 *   split(table, { target: 'y', chunks: [2, 3] })
 *     0----1|          chunks are handles, given at once
 *     \\rr  \\rrr       rows are pulled when a chunk is iterated, in order; what an earlier chunk did not take is passed over
 *
 * The pass begins with the first pull, which opens the source, and ends with the last chunk, with `release`, or with an
 * error, which closes it. Of a source that is opened here, no more rows are taken than the chunks have. Rows that are
 * not opened `forPrivate` are refused by a private plan.
 *
 * @example
 * const table = { x: [1, 2, 3, 4], y: [2, 4, 6, 8] };
 * const rule = projectedGradient({ stepSize: 0.1 });
 * const plan = planFit({ rows: 4, features: 1, loss: squared(), rule, steps: 2, aggregate: 'mean' });
 * const iterates = split(table, { target: 'y', chunks: plan.steps.map(step => step.rows) }).pipe(
 *   descend(plan, blockSums(plan), mean()),
 * );
 * (await lastValueFrom(iterates)).theta; // [2.375]
 */
export function split(source: RowSource, { chunks, ...options }: SplitOptions): Observable<Chunk> {
  const sizes = [...chunks];
  for (const [t, rows] of sizes.entries()) requireInteger(`chunks[${t}]`, rows, 0);
  const wanted = sizes.reduce((sum, rows) => sum + rows, 0);
  const known = knownSource(source);
  const samples = known.is === 'samples' ? known.samples : openedLater(source, { rows: wanted, ...options });
  if (wanted > samples.rows) {
    throw new ArgumentError(
      `the schedule must use at most the source's ${counted(samples.rows, 'row')}, got ${wanted}`,
      'ERR_TOO_FEW_ROWS',
      { rows: samples.rows, needed: wanted },
    );
  }
  return new Observable(subscriber => {
    const cursor = rowCursor(samples, wanted);
    let start = 0;
    for (const [index, rows] of sizes.entries()) {
      // Whoever takes only the first chunks may still read those.
      if (subscriber.closed) return cursor.endAt(start);
      const end = start + rows;
      const batches = cursor.between(start, end);
      subscriber.next(chunkOf(cursor, { index, rows, batches, release: cursor.close }, samples));
      start = end;
    }
    subscriber.complete();
  });
}

type Pass = Pick<Samples, 'rows' | 'namesRows' | 'batches'>;

/** One pass over a source that is opened when it begins. */
const openedLater = (source: RowSource, options: OpenRowsOptions & { readonly rows: number }): Pass => ({
  rows: options.rows,
  namesRows: !options.forPrivate,
  async *batches() {
    const { openRows } = await import('../source/read/openRows.ts');
    const samples = await openRows(source, options);
    try {
      yield* samples.batches();
    } finally {
      await samples.close();
    }
  },
});

interface RowCursor {
  readonly namesRows: boolean;
  between(start: number, end: number): AsyncIterable<SampleBatch>;
  /** No row from this one on will be asked for. */
  endAt(row: number): void;
  close(): Promise<void>;
}

/** One shared pass that chunks take turns to pull. */
function rowCursor(samples: Pass, wanted: number): RowCursor {
  let rowsAsked = wanted;
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
    if (closed) throw new ArgumentError('this chunk was released, or its pass has ended; read chunks in order, once');
    pass ??= samples.batches()[Symbol.asyncIterator]();
    if (row < batchStart) throw new ArgumentError(`row ${row} has been passed over; read chunks in order, once`);
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
    namesRows: samples.namesRows === true,
    close,
    endAt: row => {
      rowsAsked = row;
    },
    // An iterator by hand: simulations pull a chunk for every thousand rows, and a generator takes a tick more for
    // each.
    between: (start, end) => ({
      [Symbol.asyncIterator]() {
        let row = start;
        const ended = async (): Promise<IteratorReturnResult<undefined>> => {
          row = end;
          if (end >= rowsAsked) await close();
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
