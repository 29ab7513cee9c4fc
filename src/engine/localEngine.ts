/**
 * Block sums on this machine: the calling thread and its helpers take turns at the tiles of a batch, in memory they all share.
 * Which thread takes which tile is chance; the sums are the same to the last bit.
 *
 * A call sends no message. The engine opens the job, counts the call and wakes its helpers; everyone takes tiles until none is
 * left; then the engine waits for the helpers that took some. One that comes late, or never, is not waited for.
 */
import { availableParallelism } from 'node:os';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { type BlockRequest, type BlockSummer, blockSummer } from '../gradient/blockSummer.ts';
import { kernelModule } from '../gradient/wasm/wasmKernel.ts';
import { type Run, wasmSummer } from '../gradient/wasm/wasmSummer.ts';
import { ArgumentError, requireInteger } from '../math/check.ts';
import type { Arena } from '../sample/arena.ts';
import { MOST_THREADS } from '../sample/kernelRegion.ts';
import { COUNTS, engineWorker, type PostedArena, type WorkerStart } from './engineWorker.ts';

export interface LocalEngine {
  readonly threads: number;
  /** A summer whose work all threads share; where the loss has no compiled kernel, the reference. */
  readonly summer: (request: BlockRequest) => BlockSummer;
  /** Ends the threads. They never keep the process alive, so whoever is about to exit need not call this. */
  readonly close: () => Promise<void>;
}

export interface EngineOptions {
  /** As many as the machine has, unless given. */
  readonly threads?: number;
}

export function localEngine({ threads = availableParallelism() }: EngineOptions = {}): LocalEngine {
  requireInteger('threads', threads, 1, MOST_THREADS);
  const counts = new Int32Array(new SharedArrayBuffer(4 * COUNTS.length));
  const helpers = Array.from({ length: threads - 1 }, (_, k) => startHelper(k + 1, counts));
  let posted: Arena | undefined;
  let closed = false;

  const run: Run = ({ arena, work }, values) => {
    if (values < LEAST_SHARED || helpers.length === 0) {
      work();
      return;
    }
    if (arena !== posted) for (const helper of helpers) helper.post(arena);
    posted = arena;
    Atomics.add(counts, COUNTS.calls, 1);
    Atomics.notify(counts, COUNTS.calls);
    work();
    awaitHelpers(counts);
    for (const helper of helpers) helper.check();
  };

  return Object.freeze({
    threads,
    summer(request: BlockRequest) {
      if (closed) throw new ArgumentError('the engine is closed; make another');
      return request.loss.kernel === undefined ? blockSummer(request) : wasmSummer(request, run);
    },
    async close() {
      closed = true;
      await Promise.all(helpers.map(helper => helper.end()));
    },
  });
}

/** A batch of fewer values is summed by the time that another thread is awake. */
const LEAST_SHARED = 2 ** 16;

/** Tiles take microseconds: a helper that holds one for so many milliseconds is gone. */
const PATIENCE = 60_000;

interface Helper {
  post(arena: PostedArena): void;
  /** Throws what the helper threw. */
  check(): void;
  end(): Promise<unknown>;
}

function startHelper(thread: number, counts: Int32Array): Helper {
  const { port1, port2 } = new MessageChannel();
  const start: WorkerStart = { thread, module: kernelModule(), counts, places: COUNTS, port: port2 };
  const worker = new Worker(`(${engineWorker})()`, { eval: true, workerData: start, transferList: [port2] });
  let failure: unknown;
  worker.on('error', error => {
    failure = error;
  });
  worker.unref();
  return {
    post: ({ memory, region }) => port1.postMessage({ memory, region }),
    check() {
      if (Atomics.load(counts, COUNTS.failed) > 0) failure ??= receiveMessageOnPort(port1)?.message;
      if (failure !== undefined) throw new Error(`thread ${thread} of the engine failed`, { cause: failure });
    },
    end: () => worker.terminate(),
  };
}

function awaitHelpers(counts: Int32Array): void {
  for (let active = Atomics.load(counts, COUNTS.active); active > 0; active = Atomics.load(counts, COUNTS.active)) {
    if (Atomics.wait(counts, COUNTS.active, active, PATIENCE) === 'timed-out')
      throw new Error(`a thread of the engine has been silent for ${PATIENCE / 1000} seconds`);
  }
}
