import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ArgumentError, DataError, dataError, factsOf, type Place } from '../../errors.ts';
import { settled } from '../../sample/shuffle/settled.ts';
import { columnsOf, type Design } from '../design/design.ts';
import type { ColumnFeed, FeedOptions, FeedSlot, FilledSlot } from './columnFeed.ts';
import type { ReadingOrder, ReadingReply } from './columnWorker.ts';

export type ThreadOptions = Omit<FeedOptions, 'columns' | 'slots'> & {
  /** Including the calling thread, which also processes the rows. */
  readonly threads: number;
};

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
export function columnThreads(options: ThreadOptions, started?: ReadingThread) {
  const { tables, designs, lenient, batchRows, rows, threads, knownLevels } = options;
  const paths = tables.map(({ name }) => name);
  const parts = shares(designs[0]!, threads - 1);
  const helpers = parts.map((_, part) => (part === 0 ? started : undefined) ?? readingThread());
  const askAll = (order: (part: number) => ReadingOrder): Promise<readonly (FilledSlot | null)[]> =>
    settled(helpers.map((helper, part) => helper.ask(order(part))));

  return {
    /** Starts a pass; one at a time. The slots must be in shared memory. */
    begin(slots: readonly FeedSlot[]): ColumnFeed {
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
            rounded: all.flatMap(({ rounded }) => rounded),
            levels: new Map(all.flatMap(({ levels }) => [...levels])),
          };
        },
        close: async () => {
          await begun.catch(() => {});
          await askAll(() => ({ end: 'pass' }));
        },
      };
    },
    close: async (): Promise<void> => {
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

export type ReadingThread = ReturnType<typeof readingThread>;

/**
 * A thread that decodes columns (columnWorker.ts). Starting one takes as long as opening a file, so it can be started
 * before it is known what it will read.
 */
export function readingThread() {
  const program = new URL(`./columnWorker${extname(import.meta.url)}`, import.meta.url);
  const worker = startProgram(program);
  let waiting: { resolve(filled: FilledSlot | null): void; reject(error: unknown): void } | undefined;
  let failure: Error | undefined;
  // It keeps the process alive only while a reply is outstanding.
  worker.unref();
  const answer = (act: (of: NonNullable<typeof waiting>) => void): void => {
    const asked = waiting;
    waiting = undefined;
    worker.unref();
    if (asked !== undefined) act(asked);
  };
  const fail = (error: Error): void => {
    failure ??= error;
    answer(({ reject }) => reject(failure));
  };
  worker.on('message', (reply: ReadingReply) => {
    answer(({ resolve, reject }) => {
      if ('filled' in reply) resolve(reply.filled);
      else reject(errorOf(reply));
    });
  });
  worker.on('error', error => fail(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', code => fail(new Error(`a reading thread ended with code ${code}`)));
  /** One order at a time. */
  const ask = (order: ReadingOrder): Promise<FilledSlot | null> =>
    new Promise((resolve, reject) => {
      if (failure !== undefined) {
        reject(failure);
        return;
      }
      waiting = { resolve, reject };
      worker.ref();
      worker.postMessage(order);
    });
  return {
    ask,
    close: async (): Promise<void> => {
      await ask({ end: 'reading' }).catch(() => {});
      await worker.terminate();
    },
  };
}

/** An error of the user's, with its data, as if it had been thrown in this thread. */
function errorOf({ problem, user }: Extract<ReadingReply, { problem: string }>): Error {
  if (user === undefined) return new Error(problem);
  const { code, detail } = user;
  return 'table' in detail
    ? new DataError(problem, detail as unknown as Place, code)
    : new ArgumentError(problem, ...factsOf({ code, detail }));
}

/** In a source checkout the program is TypeScript, which a thread can run only through its own loader. */
function startProgram(program: URL): Worker {
  if (!program.pathname.endsWith('.ts')) return new Worker(program);
  const text = JSON.stringify(program.href);
  return new Worker(`import('tsx/esm/api').then(({ tsImport }) => tsImport(${text}, ${text}))`, {
    eval: true,
    execArgv: [],
  });
}
