/**
 * Threads that read together: each decodes some of the columns of every batch into memory that all share, so that no page is decoded twice and
 * no value is copied.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ColumnFeed, FeedOptions, FeedSlot, FilledSlot } from './columnFeed.ts';
import type { ReadingOrder, ReadingReply, ReadingStart } from './columnWorker.ts';
import { DataError } from './dataError.ts';
import { columnsOf, type Design } from './design.ts';
import { settled } from './settled.ts';

export type ThreadOptions = Omit<FeedOptions, 'columns' | 'slots'> & { readonly threads: number };

export interface ColumnThreads {
  /** A pass of its own; one at a time. The slots must lie in shared memory. */
  begin(slots: readonly FeedSlot[]): ColumnFeed;
  close(): Promise<void>;
}

/** Starting a thread takes as long as reading this many values. */
const LEAST_VALUES = 2 ** 22;

/** Whether more threads could read these tables, and would pay: pages are to be decoded, where other files are to be copied. */
export const suitsThreads = ({ tables, designs, rows, threads }: ThreadOptions): boolean =>
  threads > 1 &&
  tables.every(({ format }) => format === 'parquet') &&
  shares(designs[0]!, threads).length > 1 &&
  rows * columnsOf(designs[0]!).length >= LEAST_VALUES;

export function columnThreads(options: ThreadOptions): ColumnThreads {
  const { tables, designs, lenient, batchRows, rows, threads } = options;
  const paths = tables.map(({ name }) => name);
  const helpers = shares(designs[0]!, threads).map(columns =>
    readingThread({ paths, designs, columns, lenient, batchRows, rows }),
  );
  const askAll = (order: ReadingOrder): Promise<readonly (FilledSlot | null)[]> =>
    settled(helpers.map(helper => helper.ask(order)));

  return {
    begin(slots) {
      const begun = askAll({ begin: slots });
      // Whoever never fills never awaits it; its failure must not count as unhandled.
      begun.catch(() => {});
      return {
        async fill(slot) {
          await begun;
          const [first, ...rest] = (await askAll({ fill: slot })) as readonly FilledSlot[];
          if (rest.some(({ rows: other }) => other !== first!.rows)) {
            throw new DataError(`${paths.join(', ')}: changed while being read; start again`);
          }
          return { ...first!, doubtful: [first!, ...rest].flatMap(({ doubtful }) => doubtful) };
        },
        close: async () => {
          await begun.catch(() => {});
          await askAll({ end: 'pass' });
        },
      };
    },
    close: async () => {
      await Promise.all(helpers.map(helper => helper.close()));
    },
  };
}

/** The design's columns in as many parts of about equal width; those of one field stay together, for they are decoded together. */
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

interface ReadingThread {
  ask(order: ReadingOrder): Promise<FilledSlot | null>;
  close(): Promise<void>;
}

function readingThread(start: ReadingStart): ReadingThread {
  const program = new URL(`./columnWorker${extname(import.meta.url)}`, import.meta.url);
  const worker = startProgram(program, start);
  let waiting: { resolve(filled: FilledSlot | null): void; reject(error: unknown): void } | undefined;
  let failure: Error | undefined;
  // It keeps the process alive while it owes an answer, and no longer.
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
      else reject(reply.isUsers ? new DataError(reply.problem) : new Error(reply.problem));
    });
  });
  worker.on('error', error => fail(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', code => fail(new Error(`a reading thread ended with code ${code}`)));
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
    close: async () => {
      await ask({ end: 'reading' }).catch(() => {});
      await worker.terminate();
    },
  };
}

/** In a checkout the program is TypeScript, which a thread can run only through a loader of its own. */
function startProgram(program: URL, workerData: ReadingStart): Worker {
  if (!program.pathname.endsWith('.ts')) return new Worker(program, { workerData });
  const [text, options] = [JSON.stringify(program.href), { eval: true, execArgv: [], workerData }];
  return new Worker(`import('tsx/esm/api').then(({ tsImport }) => tsImport(${text}, ${text}))`, options);
}
