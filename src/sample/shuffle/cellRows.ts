import { cellRowsBinary } from '../../math/wasm/binaries.ts';
import { arithmeticIn, type SharedMemory } from '../../math/wasm/webAssembly.ts';

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

export const cellRows = (memory: SharedMemory): CellRows => arithmeticIn(cellRowsBinary, memory);
