import type { BatchColumn } from './batchColumn.ts';
import type { ColumnReader } from './columnReader.ts';
import type { Dictionary } from './dictionary.ts';
import { rankLevels } from './levels.ts';
import type { Plain, PlainNumbers, Slice } from './plain.ts';

/** A column of indices into a dictionary. A value is missing where the index is null, and where the entry is. */
export function encodedColumn(id: number, indices: PlainNumbers, values: Plain['of']): ColumnReader {
  const fill = async (
    column: BatchColumn,
    slice: Slice,
    meaning: (dictionary: Dictionary) => Float64Array,
  ): Promise<number> => {
    const dictionary = column.dictionary(id);
    const entries = meaning(dictionary);
    const absent = await indices.fill(column, slice);
    return absent + replaceIndices(slice, entries, dictionary.missing, column);
  };

  if (values === 'numbers') return { fill: (column, slice) => fill(column, slice, ({ numbers }) => numbers) };
  const ranks = latest((dictionary: Dictionary, levels: readonly string[]) => {
    const { rankOf } = rankLevels(levels);
    return Float64Array.from(dictionary.texts, text => rankOf(text, 0, text.length));
  });
  return {
    fillLevels: (column, slice, levels) => fill(column, slice, dictionary => ranks(dictionary, levels)),
  };
}

/** Puts entries in the place of their indices, and returns how many of them are null. */
function replaceIndices(
  { start, out, missing }: Slice,
  entries: Float64Array,
  holes: Uint8Array,
  column: BatchColumn,
): number {
  let absent = 0;
  for (let i = 0; i < out.length; i++) {
    if (missing[i] === 1) continue;
    const index = out[i]!;
    if (!(index >= 0 && index < entries.length)) {
      throw column.damaged(`refers to entry ${index} of a dictionary of ${entries.length}`, start + i);
    }
    const hole = holes[index]!;
    out[i] = hole === 1 ? 0 : entries[index]!;
    missing[i] = hole;
    absent += hole;
  }
  return absent;
}

/** A function of two objects that remembers its latest value: the pieces of a file ask for the same levels again and again. */
function latest<A, B, R>(compute: (a: A, b: B) => R): (a: A, b: B) => R {
  let known: { a: A; b: B; result: R } | undefined;
  return (a, b) => {
    if (known?.a !== a || known.b !== b) known = { a, b, result: compute(a, b) };
    return known.result;
  };
}
