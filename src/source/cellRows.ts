import { type CompiledModule, Instance, Module, type SharedMemory } from '../sample/webAssembly.ts';
import { cellRowsBinary } from './wasm/cellRowsBinary.ts';

/** Compiled code that moves rows within one memory; all positions are byte offsets in it. */
export interface CellRows {
  readonly spread: (job: number, first: number, count: number) => number;
  readonly toColumns: (
    rows: number,
    width: number,
    columns: number,
    columnBytes: number,
    count: number,
  ) => void;
}

let compiled: CompiledModule | undefined;

export function cellRows(memory: SharedMemory): CellRows {
  compiled ??= new Module(Buffer.from(cellRowsBinary, 'base64'));
  return new Instance(compiled, { env: { memory } }).exports as CellRows;
}
