import { availableParallelism } from 'node:os';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { ArgumentError, requireInteger } from '../../errors.ts';
import type { Arena } from '../../sample/arena.ts';
import { CONTROL, MOST_THREADS } from '../../sample/kernelRegion.ts';
import { type BlockRequest, type BlockSummer, blockSummer } from '../kernel/blockSummer.ts';
import { addAlone, type GramWork } from '../kernel/cellGrams.ts';
import { type IntegerRequest, integerSummer } from '../kernel/integerSummer.ts';
import { kernelModule, settle } from '../kernel/wasmKernel.ts';
import { type Run, runAlone, wasmSummer } from '../kernel/wasmSummer.ts';
import { engineWorker, type WorkerStart } from './engineWorker.ts';
import { gramThread } from './gramThread.ts';

/** Kernels on the threads of this machine. */
export interface LocalEngine {
  readonly threads: number;
  /** A summer whose work all threads share; the reference summer if the loss has no compiled kernel. */
  readonly summer: (request: BlockRequest) => BlockSummer;
  /** The same for integer sums. */
  readonly integerSummer: (request: IntegerRequest) => BlockSummer;
  /** Adds up moments in one-pass fits: on a separate thread if there are several. */
  readonly grams: GramWork;
  /** Starts the threads ahead of time; otherwise the first summer does. Useful while there is other work to do. */
  readonly start: () => void;
  /** Ends the threads. They never keep the process alive, so this is not needed before exiting. */
  readonly close: () => Promise<void>;
}

/** How many threads a local engine has. */
export interface EngineOptions {
  /** The machine's available parallelism by default. */
  readonly threads?: number;
}

/**
 * Block sums on this machine: the calling thread and its workers take turns at the tiles of a batch, in shared memory.
 * Which thread takes which tile is arbitrary; the sums are identical to the last bit.
 *
 * A call sends no message. The engine increments a counter, which wakes the workers; every thread takes tiles until
 * none is left; then the engine waits for the workers that took some. It does not wait for one that wakes late or not
 * at all.
 */
export function localEngine({ threads = availableParallelism() }: EngineOptions = {}): LocalEngine {
  requireInteger('threads', threads, 1, MOST_THREADS);
  const calls = new Int32Array(new SharedArrayBuffer(8));
  const workers: EngineThread[] = [];
  let posted: Arena | undefined;
  let failure: unknown;
  let closed = false;

  const start = (): void => {
    if (closed) throw new ArgumentError('the engine is closed; make another', 'ERR_CONFLICT', { argument: 'engine' });
    while (workers.length < threads - 1) {
      const started = startWorker(calls);
      started.worker.on('error', error => {
        failure ??= error;
      });
      workers.push(started);
    }
  };

  const call = (): void => {
    Atomics.add(calls, 0, 1);
    Atomics.notify(calls, 0);
  };

  const run: Run = (kernel, values) => {
    if (workers.length === 0 || values < LEAST_SHARED) {
      runAlone(kernel, values);
      return;
    }
    if (failure !== undefined) throw failure;
    const { memory, region } = kernel.arena;
    if (kernel.arena !== posted) for (const { port } of workers) port.postMessage({ memory, region });
    posted = kernel.arena;
    call();
    kernel.work();
    try {
      settle(kernel);
    } catch (error) {
      for (const { port } of workers) failure ??= receiveMessageOnPort(port)?.message;
      throw failure ?? error;
    }
  };

  const shared = (request: BlockRequest | IntegerRequest): BlockSummer | undefined => {
    start();
    return request.loss.kernel && wasmSummer(request, run);
  };

  return Object.freeze({
    threads,
    start,
    grams: threads > 1 ? gramThread : addAlone,
    summer: (request: BlockRequest) => shared(request) ?? blockSummer(request),
    integerSummer: (request: IntegerRequest) => shared(request) ?? integerSummer(request),
    async close() {
      closed = true;
      // Not terminated, because a busy worker must leave its arena first.
      Atomics.store(calls, 1, 1);
      call();
      for (const { worker } of workers) worker.ref();
      await Promise.all(workers.map(({ exit }) => exit));
    },
  });
}

/** A batch with fewer values is summed before another thread wakes up. */
const LEAST_SHARED = 2 ** 16;

interface EngineThread {
  readonly worker: Worker;
  readonly port: MessagePort;
  readonly exit: Promise<unknown>;
}

/**
 * The thread numbers of all workers in the process, whichever engine they belong to. A late worker may join in what
 * another engine does in the same arena, so no two may share the memory in which a thread keeps its slopes.
 */
const taken = new Set<number>();

function freePlace(): number {
  for (let place = 1; place < MOST_THREADS; place++) {
    if (!taken.has(place)) return place;
  }
  throw new ArgumentError(`there are already ${taken.size} worker threads; close an engine first`, 'ERR_TOO_LARGE', {
    threads: taken.size,
  });
}

function startWorker(calls: Int32Array): EngineThread {
  const thread = freePlace();
  taken.add(thread);
  const { port1, port2 } = new MessageChannel();
  const start: WorkerStart = { thread, module: kernelModule(), calls, port: port2, places: CONTROL };
  const worker = new Worker(`(${engineWorker})(require('node:worker_threads'))`, {
    eval: true,
    // The main thread's loaders and input type do not apply to this program.
    execArgv: [],
    workerData: start,
    transferList: [port2],
  });
  worker.unref();
  const exit = new Promise(resolve => worker.once('exit', resolve));
  exit.then(() => taken.delete(thread));
  return { worker, port: port1, exit };
}
