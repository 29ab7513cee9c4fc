import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ArgumentError, DataError, type Place } from '../../errors.ts';
import type { FilledSlot } from './columnFeed.ts';
import type { ReadingOrder, ReadingReply } from './columnWorker.ts';

export interface ReadingThread {
  /** One order at a time. */
  ask(order: ReadingOrder): Promise<FilledSlot | null>;
  close(): Promise<void>;
}

/**
 * A thread that decodes columns (columnWorker.ts). Starting one takes as long as opening a file, so it can be started
 * before it is known what it will read.
 */
export function readingThread(): ReadingThread {
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

/** An error of the user's, with its data, as if it had been thrown in this thread. */
function errorOf({ problem, user }: Extract<ReadingReply, { problem: string }>): Error {
  if (user === undefined) return new Error(problem);
  const { code, detail } = user;
  return 'table' in detail
    ? new DataError(problem, detail as unknown as Place, code)
    : new ArgumentError(problem, code, detail);
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
