import { isAsMarked, type Levels, type LevelsMark, markOf } from '../table/levels.ts';
import { rankBytes } from '../table/rankBytes.ts';
import type { BatchColumn, Dictionary } from './batchColumn.ts';
import type { ColumnReader } from './columnReader.ts';
import type { Plain, PlainNumbers, Slice } from './plain.ts';

/** A column of indices into a dictionary. A value is missing if the index or the entry is null. */
export function encodedColumn(id: number, indices: PlainNumbers, values: Plain['of']): ColumnReader {
  const fill = async (
    column: BatchColumn,
    slice: Slice,
    { missing }: Dictionary,
    entryAt: EntryAt,
  ): Promise<number> => {
    const absent = await indices.fill(column, slice);
    return absent + replaceIndices(slice, entryAt, missing, column);
  };
  if (values === 'numbers') {
    return {
      fill: (column, slice) => {
        const dictionary = column.dictionary(id);
        return fill(column, slice, dictionary, index => dictionary.numbers[index]!);
      },
    };
  }
  // Cached, because successive pieces of a file ask for the same levels.
  let known: { readonly dictionary: Dictionary; readonly mark: LevelsMark; readonly rankAt: EntryAt } | undefined;
  return {
    fillLevels: async (column, slice, list) => {
      const dictionary = column.dictionary(id);
      const isKnown = known?.dictionary === dictionary && isAsMarked(list, known.mark);
      const rankAt = isKnown ? known!.rankAt : ranksOf(dictionary, list);
      const absent = await fill(column, slice, dictionary, rankAt);
      known = { dictionary, mark: markOf(list), rankAt };
      return absent;
    },
  };
}

/** The value of an entry: its number, or the rank of its text. */
type EntryAt = (index: number) => number;

/** Ranks an entry when a row first refers to it. */
function ranksOf({ texts }: Dictionary, list: Levels): EntryAt {
  const { rankOf } = rankBytes(list);
  const ranks = new Float64Array(texts.length).fill(Number.NaN);
  return index => {
    if (Number.isNaN(ranks[index])) ranks[index] = rankOf(texts[index]!, 0, texts[index]!.length);
    return ranks[index]!;
  };
}

/** Replaces indices by their entries, and returns how many of them are null. */
function replaceIndices(
  { start, out, missing }: Slice,
  entryAt: EntryAt,
  holes: Uint8Array,
  column: BatchColumn,
): number {
  let absent = 0;
  for (let i = 0; i < out.length; i++) {
    if (missing[i] === 1) continue;
    const index = out[i]!;
    if (!(index >= 0 && index < holes.length)) {
      throw column.damaged(`refers to entry ${index} of a dictionary of ${holes.length}`, start + i);
    }
    const hole = holes[index]!;
    out[i] = hole === 1 ? 0 : entryAt(index);
    missing[i] = hole;
    absent += hole;
  }
  return absent;
}
