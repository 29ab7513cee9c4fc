import { columnArena, type Slot, spares } from '../../sample/arena.ts';
import { columnsOf, type Design } from '../design/design.ts';
import { type ColumnFeed, columnFeed, type FeedSlot } from './columnFeed.ts';
import { columnThreads, type ReadingThread, suitsThreads, type ThreadOptions } from './columnThreads.ts';

/** Memory for two batches, and the code that decodes into it. */
interface ReadingPlace {
  readonly slots: readonly Slot[];
  /** The same memory as columns of the design. */
  readonly feedSlots: readonly FeedSlot[];
  /** Starts a pass; one at a time. */
  begin(): ColumnFeed;
  /** Ends its threads, if it has any. */
  close(): Promise<void>;
}

/**
 * The resources of passes over tables, kept from one pass to the next.
 *
 * `started` is a thread started in advance: the first place uses it, or it is closed.
 */
export function readingPlaces(design: Design, options: ThreadOptions, started: ReadingThread | undefined) {
  const { batchRows } = options;
  const isThreaded = suitsThreads(options);
  let ready = isThreaded ? started : undefined;
  if (!isThreaded) started?.close();
  const columns = columnsOf(design).map((_, k) => k);
  let isClosed = false;

  const places = spares((): ReadingPlace => {
    const { slots } = columnArena({ features: design.features.length, capacity: batchRows, slots: 2, weights: true });
    const feedSlots = slots.map(slot => feedSlot(design, slot, batchRows));
    const helpers = isThreaded ? columnThreads(options, ready) : undefined;
    ready = undefined;
    return {
      slots,
      feedSlots,
      begin: () => helpers?.begin(feedSlots) ?? columnFeed({ ...options, columns, slots: feedSlots }),
      close: async () => helpers?.close(),
    };
  });

  return {
    ...places,
    give: (place: ReadingPlace): void => {
      if (isClosed) void place.close();
      else places.give(place);
    },
    /** Ends the threads of idle places, and of others when they are returned. */
    close: async (): Promise<void> => {
      isClosed = true;
      await Promise.all([...places.idle, ready].map(opened => opened?.close()));
    },
  };
}

/** An arena's slot as the design's columns, in order, with marks for missing values. */
function feedSlot(design: Design, { columns, target, weights }: Slot, capacity: number): FeedSlot {
  const own = [
    ...columns,
    ...(design.target === undefined ? [] : [target]),
    ...(design.weights === undefined ? [] : [weights]),
  ];
  const marks = new SharedArrayBuffer(own.length * capacity);
  return { columns: own, missing: own.map((_, k) => new Uint8Array(marks, k * capacity, capacity)) };
}
