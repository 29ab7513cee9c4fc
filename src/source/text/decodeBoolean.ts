import type { Decode } from './decode.ts';

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
