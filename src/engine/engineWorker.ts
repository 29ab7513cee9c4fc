import type { MessagePort } from 'node:worker_threads';
import type { KernelExports } from '../gradient/wasm/wasmKernel.ts';
import type { Arena } from '../sample/arena.ts';
import type { CONTROL } from '../sample/kernelRegion.ts';
import type { CompiledModule, Instance } from '../sample/webAssembly.ts';

export interface WorkerStart {
  readonly thread: number;
  readonly module: CompiledModule;
  /** How many calls for work there were, where helpers wait; and 1 once there will be no more. */
  readonly calls: Int32Array;
  /** Brings arenas, takes errors back. */
  readonly port: MessagePort;
  readonly places: typeof CONTROL;
}

export type PostedArena = Pick<Arena, 'memory' | 'region'>;

/**
 * The program of a helper: wait for a call, share in the work on the arena posted last, and wait again. It is started
 * from its own text, which needs neither a file nor a loader of TypeScript; so it uses nothing from outside itself but
 * what it is given.
 */
export function engineWorker({
  receiveMessageOnPort,
  workerData,
}: Pick<typeof import('node:worker_threads'), 'receiveMessageOnPort' | 'workerData'>): void {
  const { thread, module, calls, port, places } = workerData as WorkerStart;
  const wasm = (globalThis as unknown as { readonly WebAssembly: { readonly Instance: typeof Instance } })
    .WebAssembly;
  let control: Int32Array = new Int32Array(places.length);
  let region: Arena['region'] | undefined;
  let kernel: KernelExports | undefined;
  for (let call = 0; ; ) {
    Atomics.wait(calls, 0, call);
    call = Atomics.load(calls, 0);
    if (Atomics.load(calls, 1) === 1) break;
    for (let posted = receiveMessageOnPort(port); posted; posted = receiveMessageOnPort(port)) {
      const arena = posted.message as PostedArena;
      region = arena.region;
      control = new Int32Array(arena.memory.buffer, region.control, places.length);
      kernel = new wasm.Instance(module, { env: { memory: arena.memory } }).exports as KernelExports;
    }
    Atomics.add(control, places.active, 1);
    try {
      if (region) kernel?.work(region.job, region.control, thread);
    } catch (error) {
      port.postMessage(error);
      Atomics.store(control, places.failed, 1);
    }
    if (Atomics.sub(control, places.active, 1) === 1) Atomics.notify(control, places.active);
  }
  port.close();
}
