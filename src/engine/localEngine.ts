/**
 * Block sums on this machine: the calling thread and its helpers take turns at the tiles of a batch, in memory they all
 * share. Which thread takes which tile is chance; the sums are the same to the last bit.
 *
 * A call sends no message: the engine counts it, which wakes the helpers; everyone takes tiles until none is left; then
 * the engine waits for the helpers that took some. One that comes late, or never, is not waited for.
 */
import { availableParallelism } from 'node:os';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { type BlockRequest, type BlockSummer, blockSummer } from '../gradient/blockSummer.ts';
import { addAlone, type GramWork } from '../gradient/cellGrams.ts';
import { type IntegerRequest, integerSummer } from '../gradient/integerSummer.ts';
import { kernelModule, settle } from '../gradient/wasm/wasmKernel.ts';
import { type Run, runAlone, wasmSummer } from '../gradient/wasm/wasmSummer.ts';
import { ArgumentError, requireInteger } from '../math/check.ts';
import type { Arena } from '../sample/arena.ts';
import { CONTROL, MOST_THREADS } from '../sample/kernelRegion.ts';
import { engineWorker, type WorkerStart } from './engineWorker.ts';
import { gramThread } from './gramThread.ts';

export interface LocalEngine {
  readonly threads: number;
  /** A summer whose work all threads share; where the loss has no compiled kernel, the reference. */
  readonly summer: (request: BlockRequest) => BlockSummer;
  /** The same for sums of whole numbers. */
  readonly integerSummer: (request: IntegerRequest) => BlockSummer;
  /** Who adds up moments in one-pass fits: a thread of its own where there are several. */
  readonly grams: GramWork;
  /** Starts the threads, which the first summer does otherwise: worth it while there is something else to do. */
  readonly start: () => void;
  /** Ends the threads. They never keep the process alive, so whoever is about to exit need not call this. */
  readonly close: () => Promise<void>;
}

export interface EngineOptions {
  /** As many as the machine runs at a time, unless given. */
  readonly threads?: number;
}

export function localEngine({ threads = availableParallelism() }: EngineOptions = {}): LocalEngine {
  requireInteger('threads', threads, 1, MOST_THREADS);
  const calls = new Int32Array(new SharedArrayBuffer(8));
  const helpers: Helper[] = [];
  let posted: Arena | undefined;
  let failure: unknown;
  let closed = false;

  const start = (): void => {
    if (closed) throw new ArgumentError('the engine is closed; make another');
    while (helpers.length < threads - 1) {
      const helper = startHelper(calls);
      helper.worker.on('error', error => {
        failure ??= error;
      });
      helpers.push(helper);
    }
  };

  const call = (): void => {
    Atomics.add(calls, 0, 1);
    Atomics.notify(calls, 0);
  };

  const run: Run = (kernel, values) => {
    if (helpers.length === 0 || values < LEAST_SHARED) {
      runAlone(kernel, values);
      return;
    }
    if (failure !== undefined) throw failure;
    const { memory, region } = kernel.arena;
    if (kernel.arena !== posted) for (const { port } of helpers) port.postMessage({ memory, region });
    posted = kernel.arena;
    call();
    kernel.work();
    try {
      settle(kernel);
    } catch (error) {
      for (const { port } of helpers) failure ??= receiveMessageOnPort(port)?.message;
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
      // Not terminated: one that is at work must leave its arena first.
      Atomics.store(calls, 1, 1);
      call();
      for (const { worker } of helpers) worker.ref();
      await Promise.all(helpers.map(({ exit }) => exit));
    },
  });
}

/** A batch of fewer values is summed by the time that another thread is awake. */
const LEAST_SHARED = 2 ** 16;

interface Helper {
  readonly worker: Worker;
  readonly port: MessagePort;
  readonly exit: Promise<unknown>;
}

/**
 * The places of all helpers of the process, whichever engine they belong to. A late helper may join in what another
 * engine does in the same arena, so no two may share the memory in which a thread keeps its slopes.
 */
const taken = new Set<number>();

function freePlace(): number {
  for (let place = 1; place < MOST_THREADS; place++) {
    if (!taken.has(place)) return place;
  }
  throw new ArgumentError(`there are ${taken.size} helping threads already; close an engine first`);
}

function startHelper(calls: Int32Array): Helper {
  const thread = freePlace();
  taken.add(thread);
  const { port1, port2 } = new MessageChannel();
  const start: WorkerStart = { thread, module: kernelModule(), calls, port: port2, places: CONTROL };
  const worker = new Worker(`(${engineWorker})(require('node:worker_threads'))`, {
    eval: true,
    // Loaders and input types of the main thread are not for this program.
    execArgv: [],
    workerData: start,
    transferList: [port2],
  });
  worker.unref();
  const exit = new Promise(resolve => worker.once('exit', resolve));
  exit.then(() => taken.delete(thread));
  return { worker, port: port1, exit };
}
