import type { Values } from './values.ts';

const slice = 1024;

/** The entries of a table that a stream of indices names: values of a dictionary, and booleans, whose table is `falseTrue`. */
export function lookUp(
  nextIndices: (into: Uint32Array, count: number) => void,
  entries: Float64Array,
): Values {
  const indices = new Uint32Array(slice);
  return {
    read: (out, at, count) => {
      for (let done = 0; done < count; done += slice) {
        const taken = Math.min(slice, count - done);
        nextIndices(indices, taken);
        requireBelow(entries.length, indices, taken);
        for (let i = 0; i < taken; i++) out[at + done + i] = entries[indices[i]!]!;
      }
    },
  };
}

export const falseTrue = Float64Array.of(0, 1);

function requireBelow(limit: number, indices: Uint32Array, count: number): void {
  let most = 0;
  for (let i = 0; i < count; i++) if (indices[i]! > most) most = indices[i]!;
  if (most >= limit) throw new Error(`a value is entry ${most} of a dictionary of ${limit}`);
}
