/**
 * The part of WebAssembly that Sluice uses, typed here because neither the es2023 library nor Node's types declare it.
 */

export interface SharedMemory {
  readonly buffer: SharedArrayBuffer;
}

/** Compiled code; it can be posted to a thread. */
export type CompiledModule = object;

interface Constructors {
  readonly Memory: new (size: {
    readonly initial: number;
    readonly maximum: number;
    readonly shared: true;
  }) => SharedMemory;
  readonly Module: new (binary: Uint8Array) => CompiledModule;
  readonly Instance: new (
    module: CompiledModule,
    imports: { readonly env: { readonly memory: SharedMemory } },
  ) => { readonly exports: object };
}

const { Memory, Module, Instance } = (globalThis as unknown as { readonly WebAssembly: Constructors }).WebAssembly;

export type { Instance };

const compiled = new Map<string, CompiledModule>();

/** The module of a binary in base64, compiled when it is first asked for, once per process. */
export function compiledModule(binary: string): CompiledModule {
  const module = compiled.get(binary) ?? new Module(Buffer.from(binary, 'base64'));
  compiled.set(binary, module);
  return module;
}

/** The functions of a compiled module, working in `memory`. */
export const arithmeticIn = <Exports extends object>(binary: string, memory: SharedMemory): Exports =>
  new Instance(compiledModule(binary), { env: { memory } }).exports as Exports;

/** Memory of `pages` of 64 kB, which may grow to `most`. */
export const sharedMemory = (pages: number, most = pages): SharedMemory =>
  new Memory({ initial: pages, maximum: most, shared: true });
