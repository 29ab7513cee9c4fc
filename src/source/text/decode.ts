import { decodeNumber } from './decodeNumber.ts';
import { decodeTime } from './decodeTime.ts';

/**
 * Reads the cell bytes[start, end), without surrounding spaces, into out[at]. Returns false for a cell of another kind,
 * and out[at] is then undefined. Writing instead of returning avoids allocating the number on the heap.
 */
export type Decode = (bytes: Buffer, start: number, end: number, out: Float64Array, at: number) => boolean;

/** A number, true or false, or a time, whatever the other cells of the column contain. */
export const decodeMixed: Decode = (bytes, start, end, out, at) =>
  decodeNumber(bytes, start, end, out, at) ||
  decodeBoolean(bytes, start, end, out, at) ||
  decodeTime(bytes, start, end, out, at);

const values: ReadonlyMap<string, number> = new Map([
  ['true', 1],
  ['True', 1],
  ['TRUE', 1],
  ['false', 0],
  ['False', 0],
  ['FALSE', 0],
]);

/** true and false as written by JavaScript, Python and R. */
export const decodeBoolean: Decode = (bytes, start, end, out, at) => {
  const length = end - start;
  const value = length === 4 || length === 5 ? values.get(bytes.toString('latin1', start, end)) : undefined;
  if (value === undefined) return false;
  out[at] = value;
  return true;
};
