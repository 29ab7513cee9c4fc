import { Observable } from 'rxjs';
import { ArgumentError, refuse, requireInteger, requireKnown } from '../errors.ts';
import type { Chunk } from '../sample/chunk.ts';
import { type RowStore, rowStore } from '../sample/gather.ts';
import { rowsBetween, type SampleBatch } from '../sample/sampleBatch.ts';
import type { Samples } from '../sample/samples.ts';
import { knownSource, type RowSource } from '../source/memory/rowSource.ts';
import type { OpenRowsOptions } from '../source/read/openRows.ts';
import { counted } from '../words.ts';
import { chunkOf } from './chunkPass.ts';

/** How `split` reads its rows, and the numbers of rows of its chunks. */
export type SplitOptions = OpenRowsOptions & {
  /** Rows of each chunk: an array or a set, or anything else that can be iterated, without end if need be. */
  readonly chunks: Iterable<number>;
  /** The index of the first chunk, where the run goes on from an earlier one; 0 unless given. */
  readonly first?: number;
};

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
 * Sizes that are neither array nor set are taken one at a time, as from a generator, and may have no end. Their chunks are
 * held in memory, so that their batches can be read again:
 *
 *   rows     rrr----rrr----rr...     gathered once the last chunk is `done`, and no further than the chunk goes
 *   chunks      0------1------2...   so the size of a chunk may follow from what was made of the chunks before it
 *
 * The rows of a chunk that the source does not fill are dropped, and so its end is the end of the chunks. A batch may end
 * its chunk early (`endsChunk`), but not the first one: a run that begins with a pilot rests on the pilot's rows.
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
export function split(source: RowSource, given: SplitOptions): Observable<Chunk> {
  requireKnown(
    given,
    'batchRows categorical chunks classes features first forPrivate found intercept isFixed knownLevels leftOut malformed memoryBytes namedByResult nulls rows sampleRows scratch scratchBytes signal stdin target targets threads types unit weights',
  );
  const { chunks, first = 0, ...options } = given;
  requireInteger('first', first, 0);
  if (typeof Object(chunks)[Symbol.iterator] !== 'function' || typeof chunks === 'string')
    refuse('chunks', 'be the numbers of rows of the chunks, such as [1000, 1000]', chunks);
  if (!('length' in chunks || 'size' in chunks)) {
    const endless = knownSource(source);
    return held(endless.is === 'samples' ? endless.samples : openedLater(source, options), chunks, first);
  }
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
      subscriber.next(chunkOf(cursor, { index: first + index, rows, batches, release: cursor.close }, samples));
      start = end;
    }
    subscriber.complete();
  });
}

type Pass = Pick<Samples, 'rows' | 'namesRows' | 'batches'>;

/** One pass over a source that is opened when it begins. */
const openedLater = (source: RowSource, options: OpenRowsOptions): Pass => ({
  rows: options.rows ?? Infinity,
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

/** Chunks of one pass, held in memory one after another. */
function held(samples: Pass, sizes: Iterable<number>, first: number): Observable<Chunk> {
  return new Observable(subscriber => {
    const origin = { namesRows: samples.namesRows === true };
    const pass = samples.batches()[Symbol.asyncIterator]();
    const wanted = sizes[Symbol.iterator]();
    const close = async (): Promise<void> => {
      wanted.return?.();
      await pass.return?.();
    };
    subscriber.add(() => {
      close().catch(() => {});
    });
    // What the last chunk left of its last batch, which stays valid until the next pull.
    let left: SampleBatch | undefined;
    let store: RowStore | undefined;
    const fill = async (index: number): Promise<Held | null> => {
      const next = wanted.next();
      if (next.done) return null;
      const rows = requireInteger(`chunks[${index - first}]`, next.value, 1);
      let gathered = 0;
      let endedEarly = false;
      while (gathered < rows && !endedEarly) {
        const whole = left === undefined;
        left ??= await pulled(pass);
        if (left === undefined) return null;
        const { columns, endsChunk = false } = left;
        store ??= rowStore(columns.length);
        if (gathered === 0) store.begin(rows);
        const taken = Math.min(rows - gathered, left.rows);
        store.add(rowsBetween(left, 0, taken));
        gathered += taken;
        left = taken < left.rows ? rowsBetween(left, taken, left.rows) : undefined;
        endedEarly = endsChunk && whole && left === undefined && index > 0 && gathered > 0 && gathered < rows;
      }
      return { batch: store!.batch(), endedEarly };
    };
    const run = async (): Promise<void> => {
      for (let index = first; ; index++) {
        const filled = await fill(index);
        if (filled === null || subscriber.closed) break;
        await new Promise<void>(done => {
          const chunk = { ...handleOf(filled, done), index, release: close };
          subscriber.next(chunkOf(origin, chunk, samples, filled.endedEarly));
        });
      }
      await close();
      subscriber.complete();
    };
    run().catch(error => {
      close().catch(() => {});
      subscriber.error(error);
    });
  });
}

interface Held {
  readonly batch: SampleBatch;
  readonly endedEarly: boolean;
}

/** A chunk over rows in memory, until it is done. */
function handleOf({ batch }: Held, done: () => void): Pick<Chunk, 'rows' | 'batches' | 'done'> {
  let isDone = false;
  return {
    rows: batch.rows,
    batches: {
      async *[Symbol.asyncIterator]() {
        if (isDone)
          throw new ArgumentError(
            'this chunk is done, and its memory holds later rows; read it before',
            'ERR_CONFLICT',
            { argument: 'chunk' },
          );
        yield batch;
      },
    },
    done: () => {
      isDone = true;
      done();
    },
  };
}

const pulled = async (pass: AsyncIterator<SampleBatch>): Promise<SampleBatch | undefined> => {
  const { value, done } = await pass.next();
  return done ? undefined : value;
};

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
    if (closed)
      throw new ArgumentError(
        'this chunk was released, or its pass has ended; read chunks in order, once',
        'ERR_CONFLICT',
        { argument: 'chunk' },
      );
    pass ??= samples.batches()[Symbol.asyncIterator]();
    if (row < batchStart)
      throw new ArgumentError(`row ${row} has been passed over; read chunks in order, once`, 'ERR_CONFLICT', {
        argument: 'chunk',
        row,
      });
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
