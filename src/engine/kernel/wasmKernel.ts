import { kernelBinary } from '../../math/wasm/binaries.ts';
import { arithmeticIn, type CompiledModule, compiledModule } from '../../math/wasm/webAssembly.ts';
import type { Arena } from '../../sample/arena.ts';
import { CONTROL } from '../../sample/kernelRegion.ts';

export interface WasmKernel {
  readonly arena: Arena;
  /** The arena's kernel region, viewed as integers and as doubles. */
  readonly words: Uint32Array;
  readonly numbers: Float64Array;
  readonly control: Int32Array;
  /** Takes shares of the job written in the region and sums their tiles, until none is left. */
  readonly work: () => void;
}

/** The word offsets of a job's fields, as in assembly/rows.ts; a double takes two words. */
export const JOB = /* @__PURE__ */ Object.freeze({
  parameter: 0,
  kind: 2,
  features: 3,
  intercept: 4,
  tiles: 5,
  shares: 6,
  shareTiles: 7,
  odd: 8,
  columns: 9,
  target: 10,
  weights: 11,
  theta: 12,
  starts: 13,
  sums: 14,
  slopes: 15,
  grid: 16,
  squaredNorm: 18,
  clip: 20,
  place: 22,
  partials: 24,
});

/** For threads, which instantiate it themselves. */
export const kernelModule = (): CompiledModule => compiledModule(kernelBinary);

const kernels = new WeakMap<Arena, WasmKernel>();

/** The compiled kernel in an arena's memory: one module per process, one instance per arena and thread. */
export function wasmKernel(arena: Arena): WasmKernel {
  const found = kernels.get(arena);
  if (found !== undefined) return found;
  const { memory, region } = arena;
  const { work } = arithmeticIn<KernelExports>(kernelBinary, memory);
  const kernel = Object.freeze<WasmKernel>({
    arena,
    words: new Uint32Array(memory.buffer, 0, region.bytes / 4),
    numbers: new Float64Array(memory.buffer, 0, region.bytes / 8),
    control: new Int32Array(memory.buffer, region.control, CONTROL.length),
    work: () => work(region.job, region.control, 0),
  });
  for (const table of ['columns', 'theta', 'starts', 'sums', 'slopes', 'partials'] as const) {
    kernel.words[region.job / 4 + JOB[table]] = region[table];
  }
  kernels.set(arena, kernel);
  return kernel;
}

export interface KernelExports {
  readonly work: (job: number, left: number, thread: number) => void;
}

/** Waits until no other thread holds a share. After that no thread can take one of this job, because none is left. */
export function settle({ control }: WasmKernel): void {
  for (let active = Atomics.load(control, CONTROL.active); active > 0; ) {
    if (Atomics.wait(control, CONTROL.active, active, PATIENCE) === 'timed-out')
      throw new Error(`a worker thread has not responded for ${PATIENCE / 1000} seconds`);
    active = Atomics.load(control, CONTROL.active);
  }
  if (Atomics.load(control, CONTROL.failed) !== 0) throw new Error('a worker thread failed');
}

/** In milliseconds. Tiles take microseconds: a thread this late has died. */
const PATIENCE = 60_000;
