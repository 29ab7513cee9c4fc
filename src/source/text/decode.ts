/**
 * Reads the cell bytes[start, end), without surrounding spaces, into out[at]. Returns false for a cell of another kind,
 * and out[at] is then undefined. Writing instead of returning avoids allocating the number on the heap.
 */
export type Decode = (bytes: Buffer, start: number, end: number, out: Float64Array, at: number) => boolean;
