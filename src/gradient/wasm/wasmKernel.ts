/** The compiled kernel at work in an arena's memory: one module per process, one instance per arena and thread. */
import type { Arena } from '../../sample/arena.ts';
import { type CompiledModule, Instance, Module } from '../../sample/webAssembly.ts';
import { kernelBinary } from './kernelBinary.ts';

export interface WasmKernel {
  readonly arena: Arena;
  /** The arena's kernel region, as whole numbers and as doubles. */
  readonly words: Uint32Array;
  readonly numbers: Float64Array;
  /** Sums tiles of the job written in the region until none is left; `control` counts what is left. */
  readonly work: () => void;
}

/** The words of a job by their place, as in assembly/kernel.ts; the parameter is a double in the first two. */
export const JOB = Object.freeze({
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
});

let compiled: CompiledModule | undefined;

export function kernelModule(): CompiledModule {
  compiled ??= new Module(Buffer.from(kernelBinary, 'base64'));
  return compiled;
}

/** What a thread calls to share in the jobs of an arena. */
export function worker(
  module: CompiledModule,
  { memory, region }: Pick<Arena, 'memory' | 'region'>,
  thread: number,
): () => void {
  const { work } = new Instance(module, { env: { memory } }).exports as {
    readonly work: (job: number, left: number, thread: number) => void;
  };
  return () => work(region.job, region.control, thread);
}

const kernels = new WeakMap<Arena, WasmKernel>();

export function wasmKernel(arena: Arena): WasmKernel {
  const found = kernels.get(arena);
  if (found !== undefined) return found;
  const { memory, region } = arena;
  const kernel = Object.freeze({
    arena,
    words: new Uint32Array(memory.buffer, 0, region.bytes / 4),
    numbers: new Float64Array(memory.buffer, 0, region.bytes / 8),
    work: worker(kernelModule(), arena, 0),
  });
  for (const table of ['columns', 'theta', 'starts', 'sums', 'slopes'] as const) {
    kernel.words[region.job / 4 + JOB[table]] = region[table];
  }
  kernels.set(arena, kernel);
  return kernel;
}
