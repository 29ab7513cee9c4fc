import { ArgumentError, dataError, requirePositive } from '../../errors.ts';
import { counted } from '../../words.ts';
import { memoryRegion } from '../arrow/region.ts';
import { doublesIn } from '../memory/doubleColumns.ts';
import { batchHolder, type Store } from '../memory/heldBatch.ts';
import { memoryTables } from '../memory/memoryTables.ts';
import { type ArrowBatch, type BatchesOnce, isObservable, type Subscribable } from '../memory/rowSource.ts';
import { PULLS_PER_TURN, pushed } from '../memory/spool.ts';
import { countRows } from '../read/tableSamples.ts';
import type { Table } from '../table/table.ts';
import { type LiveColumn, liveSchema } from './liveSchema.ts';
import type { Arrival, Item, LiveSource, OpenLiveOptions } from './liveSource.ts';
import { changed, openedStream, placeOf, pulledUntil, requireIdentity, untilStopped } from './openedStream.ts';
import { deadLetter } from './records.ts';
import { tableRows } from './tableRows.ts';

/** How batches of this process become a stream. */
export interface BatchStreamOptions {
  /** The name of the stream, for messages; 'the batches' unless given. */
  readonly name?: string;
  /**
   * The bytes of batches of an Observable that may wait, because it cannot be held back; 64 MiB unless given. One batch
   * may always wait, however large it is.
   */
  readonly bufferBytes?: number;
}

/** As much as `spool` keeps in memory: some hundred thousand rows. */
const BUFFER_BYTES = 2 ** 26;

/**
 * Record batches of this process as a stream. An iterable or async iterable is pulled, one batch at a time. Batches of
 * an Observable are copied and wait; when they fill the buffer, the stream ends with `ERR_OVERRUN`. Leaving the stream
 * ends the source: `return` is called, or the subscription is ended.
 *
 * A place is the number of rows so far. The source begins at its beginning whenever the stream is opened, so that a
 * resumed stream passes over the rows that were used; one with fewer rows is refused.
 */
export function batchStream(
  source: BatchesOnce,
  { name = 'the batches', bufferBytes = BUFFER_BYTES }: BatchStreamOptions = {},
): LiveSource {
  requirePositive('bufferBytes', bufferBytes);
  const identity = { source: 'batches' };
  return Object.freeze({
    name,
    open: async (options: OpenLiveOptions) => {
      requireIdentity(name, identity, options);
      const used = Number(placeOf(name, options, 'rows')?.rows ?? 0);
      // Subscribed at once: what is pushed before the first arrival is pulled would be lost.
      const queue = isObservable(source) ? waiting(source, name, bufferBytes) : undefined;
      const given = (stop: AbortSignal): AsyncIterable<Table | ArrowBatch> =>
        isObservable(source) ? queue!.tables(stop) : pulled(source, stop);
      const arrivals = (stop: AbortSignal) => arrivalsOf(given(stop), { ...options, name, used });
      return openedStream({ name, identity, endless: true, arrivals, ...queue }, options);
    },
  });
}

/** The rows of tables or batches, one after another, with the number of rows up to them as their place. */
export async function* arrivalsOf(
  source: AsyncIterable<Table | ArrowBatch>,
  { name, used, onDeadLetter, ...options }: OpenLiveOptions & { readonly name: string; readonly used: number },
): AsyncGenerator<Arrival> {
  const schema = await liveSchema(options);
  let rows = 0;
  let passed: Item | undefined;
  /** Whether the latest batch had the columns of the stream, in their order, so that the next is not decoded if it has. */
  let areAlike = false;
  for await (const given of source) {
    const before = rows;
    const isReady = areAlike && before >= used && !('frames' in given) && given.numRows > 0;
    if (isReady && isPlain(given, schema.columns()!)) {
      rows += given.numRows;
      const item = { rows: given.numRows, place: { rows } };
      yield { batch: given, items: passed === undefined ? [item] : [passed, item] };
      passed = undefined;
      continue;
    }
    const table = schema.leveled('frames' in given ? given : tableOf(given, name, memoryRegion));
    const own = table.rows ?? (await countRows([table]));
    rows += own;
    if (rows <= used || own === 0) continue;
    const places = schema.fix(table.fields, table.format)
      ? schema.placesIn(table.fields, table.format)
      : 'there is no column that can be read';
    if (typeof places === 'string') {
      const place = { rows };
      await onDeadLetter?.(deadLetter(place, `${counted(own, 'row')}: ${places}`, new Uint8Array(0)));
      passed = { rows: 0, place };
      continue;
    }
    areAlike = !options.forPrivate && schema.holdsDoubles() && places.every((at, k) => at === k);
    for await (const piece of tableRows(table, schema, places, used - before)) {
      const item = { rows: piece.rows, place: { rows: before + piece.upTo } };
      yield { batch: schema.batchOf([piece]), items: passed === undefined ? [item] : [passed, item] };
      passed = undefined;
    }
  }
  if (rows < used) throw changed(name, `has ${counted(rows, 'row')}, but ${used} were used before`);
}

/** Whether a batch has the columns of the stream, in their order, as doubles without nulls. */
function isPlain(batch: ArrowBatch, columns: readonly LiveColumn[]): boolean {
  const { fields } = batch.schema;
  return (
    fields.length === columns.length &&
    columns.every(({ field }, k) => fields[k]!.name === field.name && doublesIn(batch, k) !== null)
  );
}

/** One batch at a time. */
async function* pulled(
  source: Exclude<BatchesOnce, Subscribable<ArrowBatch>>,
  stop: AbortSignal,
): AsyncGenerator<ArrowBatch> {
  let pulls = 0;
  for await (const batch of pulledUntil(source, stop)) {
    // A source that never waits would keep signals and timers waiting for ever.
    if (++pulls % PULLS_PER_TURN === 0) await new Promise(setImmediate);
    yield batch;
  }
}

/** Batches that are pushed from now on, copied because their memory may be reused. */
function waiting(source: Subscribable<ArrowBatch>, name: string, bufferBytes: number) {
  const queue: { readonly table: Table; readonly bytes: number }[] = [];
  let held = 0;
  let wake = (): void => {};
  let state = 'open' as 'open' | 'done' | 'failed';
  const { done, stop: unsubscribe } = pushed(source, batch => {
    let bytes = 0;
    const table = tableOf(batch, name, (view, damaged) => {
      bytes += view.length;
      return memoryRegion(view.slice(), damaged);
    });
    if (queue.length > 0 && held + bytes > bufferBytes) {
      throw dataError(
        { table: name },
        `${queue.length} ${queue.length === 1 ? 'batch waits' : 'batches wait'} with ${held} bytes, the next has ${bytes}, and at most ${bufferBytes} may wait`,
        'an Observable cannot be held back: give an async iterable, which is pulled; or give `bufferBytes` more room for a burst',
        'ERR_OVERRUN',
      );
    }
    held += bytes;
    queue.push({ table, bytes });
    wake();
    return false;
  });
  const ended = done.then(
    () => {
      state = 'done';
    },
    error => {
      state = 'failed';
      throw error;
    },
  );
  ended.catch(() => {});

  async function* tables(stop: AbortSignal): AsyncGenerator<Table> {
    for (;;) {
      // Rows that were pushed behind a failure are lost, so there is nothing to go on with.
      if (state === 'failed') await ended;
      const next = queue.shift();
      if (next !== undefined) {
        held -= next.bytes;
        yield next.table;
      } else if (state === 'done') return;
      else {
        const woken = new Promise<void>(resolve => {
          wake = resolve;
        });
        await untilStopped(Promise.race([woken, ended]), stop);
      }
    }
  }
  return { tables, lag: () => queue.length, release: unsubscribe };
}

function tableOf(batch: ArrowBatch, name: string, store: Store): Table {
  const { groups, add } = batchHolder(name, store);
  add(batch);
  const [table] = memoryTables(name, groups, async () => {});
  if (table === undefined)
    throw new ArgumentError(`${name} gave a batch without a schema`, 'ERR_ARGUMENT', {
      argument: 'batches',
      source: name,
    });
  return table;
}
