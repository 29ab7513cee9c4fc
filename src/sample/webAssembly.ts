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

export const { Memory, Module, Instance } = (globalThis as unknown as { readonly WebAssembly: Constructors })
  .WebAssembly;
