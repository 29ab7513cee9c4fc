import { dataError } from '../../errors.ts';
import { settled } from '../../sample/shuffle/settled.ts';
import { columnsOf, type Design } from '../design/design.ts';
import type { ColumnFeed, FeedOptions, FeedSlot, FilledSlot } from './columnFeed.ts';
import type { ReadingOrder } from './columnWorker.ts';
import { type ReadingThread, readingThread } from './readingThread.ts';

export type ThreadOptions = Omit<FeedOptions, 'columns' | 'slots'> & {
  /** Including the calling thread, which also processes the rows. */
  readonly threads: number;
};

export interface ColumnThreads {
  /** Starts a pass; one at a time. The slots must be in shared memory. */
  begin(slots: readonly FeedSlot[]): ColumnFeed;
  close(): Promise<void>;
}

/** Starting a thread takes as long as reading this many values. */
const LEAST_VALUES = 2 ** 22;

/**
 * Whether more threads could read these tables, and would pay off: Parquet pages have to be decoded, whereas other
 * files are merely copied.
 */
export const suitsThreads = ({ tables, designs, rows, threads }: ThreadOptions): boolean =>
  threads > 1 &&
  tables.every(({ format }) => format === 'parquet') &&
  rows * columnsOf(designs[0]!).length >= LEAST_VALUES;

/**
 * Threads that read together: each decodes some of the columns of every batch into shared memory, so that no page is
 * decoded twice and no value is copied.
 *
 * `started` is an idle thread that was started in advance.
 */
export function columnThreads(options: ThreadOptions, started?: ReadingThread): ColumnThreads {
  const { tables, designs, lenient, batchRows, rows, threads, knownLevels } = options;
  const paths = tables.map(({ name }) => name);
  const parts = shares(designs[0]!, threads - 1);
  const helpers = parts.map((_, part) => (part === 0 ? started : undefined) ?? readingThread());
  const askAll = (order: (part: number) => ReadingOrder): Promise<readonly (FilledSlot | null)[]> =>
    settled(helpers.map((helper, part) => helper.ask(order(part))));

  return {
    begin(slots) {
      const begun = askAll(part => ({
        begin: { paths, designs, columns: parts[part]!, slots, lenient, batchRows, rows, knownLevels },
      }));
      // If `fill` is never called, this is never awaited; its failure must not be reported as unhandled.
      begun.catch(() => {});
      return {
        async fill(slot) {
          await begun;
          const [first, ...rest] = (await askAll(() => ({ fill: slot }))) as readonly FilledSlot[];
          if (rest.some(({ rows: other }) => other !== first!.rows)) {
            throw dataError({ table: paths.join(', ') }, 'changed while being read', 'start again', 'ERR_CHANGED');
          }
          const all = [first!, ...rest];
          return {
            ...first!,
            doubtful: all.flatMap(({ doubtful }) => doubtful),
            levels: new Map(all.flatMap(({ levels }) => [...levels])),
          };
        },
        close: async () => {
          await begun.catch(() => {});
          await askAll(() => ({ end: 'pass' }));
        },
      };
    },
    close: async () => {
      await Promise.all(helpers.map(helper => helper.close()));
    },
  };
}

/**
 * Divides the design's columns into parts of about equal width; those of one field stay together, because they are
 * decoded together.
 */
function shares(design: Design, threads: number): readonly (readonly number[])[] {
  const fields = new Map<number, number[]>();
  columnsOf(design).forEach(({ field }, k) => {
    fields.set(field, [...(fields.get(field) ?? []), k]);
  });
  const parts: number[][] = Array.from({ length: Math.min(threads, fields.size) }, () => []);
  for (const columns of [...fields.values()].sort((a, b) => b.length - a.length)) {
    parts.reduce((least, part) => (part.length < least.length ? part : least)).push(...columns);
  }
  return parts;
}
