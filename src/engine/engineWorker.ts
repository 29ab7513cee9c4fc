import type { MessagePort } from 'node:worker_threads';
import type { Arena } from '../sample/arena.ts';
import type { CompiledModule, Instance } from '../sample/webAssembly.ts';

/** What an engine and its threads count in memory they share, each on a cache line of its own. */
export const COUNTS = Object.freeze({
  /** How many calls for work there were; threads wait here. */
  calls: 0,
  /** How many threads may be holding rows; the engine waits here. */
  active: 16,
  /** How many threads failed. */
  failed: 32,
  length: 48,
});

export interface WorkerStart {
  readonly thread: number;
  readonly module: CompiledModule;
  readonly counts: Int32Array;
  readonly places: typeof COUNTS;
  /** Brings arenas, takes errors back. */
  readonly port: MessagePort;
}

export type PostedArena = Pick<Arena, 'memory' | 'region'>;

/**
 * The program of a thread: wait for a call, share in the work on the arena posted last, and wait again. It is started from its
 * own text, which needs no loader for TypeScript and no path to a file; so it uses nothing from outside itself.
 */
export function engineWorker(): never {
  const { receiveMessageOnPort, workerData } =
    require('node:worker_threads') as typeof import('node:worker_threads');
  const { thread, module, counts, places, port } = workerData as WorkerStart;
  const wasm = (globalThis as unknown as { readonly WebAssembly: { readonly Instance: typeof Instance } })
    .WebAssembly;
  let arena: PostedArena | undefined;
  let kernel: { readonly work: (job: number, left: number, thread: number) => void } | undefined;
  for (let calls = 0; ; ) {
    Atomics.wait(counts, places.calls, calls);
    calls = Atomics.load(counts, places.calls);
    Atomics.add(counts, places.active, 1);
    try {
      for (let posted = receiveMessageOnPort(port); posted; posted = receiveMessageOnPort(port)) {
        arena = posted.message as PostedArena;
        kernel = new wasm.Instance(module, { env: { memory: arena.memory } }).exports as typeof kernel;
      }
      if (arena !== undefined) kernel?.work(arena.region.job, arena.region.control, thread);
    } catch (error) {
      port.postMessage(error);
      Atomics.add(counts, places.failed, 1);
    }
    if (Atomics.sub(counts, places.active, 1) === 1) Atomics.notify(counts, places.active);
  }
}
