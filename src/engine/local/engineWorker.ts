import type { MessagePort } from 'node:worker_threads';
import type { CompiledModule, Instance } from '../../math/wasm/webAssembly.ts';
import type { Arena } from '../../sample/arena.ts';
import type { CONTROL } from '../../sample/kernelRegion.ts';
import type { KernelExports } from '../kernel/wasmKernel.ts';

export interface WorkerStart {
  readonly thread: number;
  readonly module: CompiledModule;
  /** The number of calls so far, on which idle workers wait; then 1 once there will be no more. */
  readonly calls: Int32Array;
  /** Delivers arenas and returns errors. */
  readonly port: MessagePort;
  readonly places: typeof CONTROL;
}

export type PostedArena = Pick<Arena, 'memory' | 'region'>;

/**
 * The program of a worker thread: wait for a call, share in the work on the last arena posted, and wait again. It is
 * started from its source text, which needs neither a file nor a TypeScript loader, so it may use nothing but its
 * arguments.
 */
export function engineWorker({
  receiveMessageOnPort,
  workerData,
}: Pick<typeof import('node:worker_threads'), 'receiveMessageOnPort' | 'workerData'>): void {
  const { thread, module, calls, port, places } = workerData as WorkerStart;
  const wasm = (globalThis as unknown as { readonly WebAssembly: { readonly Instance: typeof Instance } }).WebAssembly;
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
