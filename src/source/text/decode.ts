/**
 * Reads the cell bytes[start, end), which has no spaces around it, into out[at]. False for a cell of another kind,
 * and out[at] then means nothing. Writing instead of returning keeps the number out of the heap.
 */
export type Decode = (bytes: Buffer, start: number, end: number, out: Float64Array, at: number) => boolean;
