import { isAsMarked, type Levels, type LevelsMark, markOf } from '../table/levels.ts';
import { rankBytes } from '../table/rankBytes.ts';
import type { BatchColumn } from './batch.ts';
import type { Dictionary } from './dictionary.ts';
import { clearMissing, markMissing, type Plain, type PlainNumbers, type Slice } from './plain.ts';
import { allocate } from './region.ts';

/** How frames read a column: as numbers, or as levels of texts; neither for an unsupported type. */
export interface ColumnReader {
  readonly fill?: (column: BatchColumn, slice: Slice, element: number) => Promise<number>;
  readonly fillLevels?: (column: BatchColumn, slice: Slice, list: Levels) => Promise<number>;
}

export const unsupported: ColumnReader = {};

/** A column that stores its values directly. */
export const plainColumn = (plain: Plain): ColumnReader =>
  plain.of === 'numbers'
    ? { fill: plain.fill }
    : {
        fillLevels: async (column, { start, out, missing }, list) => {
          const { rankOf, longest } = rankBytes(list);
          out.fill(-1);
          const absent = await plain.visit(column, { start, missing, longest }, (row, bytes, from, to) => {
            out[row] = rankOf(bytes, from, to);
          });
          if (absent > 0) clearMissing(out, missing);
          return absent;
        },
      };

/** A column of indices into a dictionary. A value is missing if the index or the entry is null. */
export function encodedColumn(id: number, indices: PlainNumbers, values: Plain['of']): ColumnReader {
  const fill = async (
    column: BatchColumn,
    slice: Slice,
    { missing }: Dictionary,
    entryAt: EntryAt,
  ): Promise<number> => {
    const absent = await indices.fill(column, { ...slice, rest: false });
    return absent + replaceIndices(slice, entryAt, missing, column);
  };
  if (values === 'numbers') {
    return {
      fill: (column, slice) => {
        const dictionary = column.dictionary(id);
        const values = slice.rest ? dictionary.rests : dictionary.numbers;
        return fill(column, slice, dictionary, index => values[index]!);
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

/**
 * Lists of a fixed width. All numbers of the requested rows are decoded at once and kept, because the other elements
 * are requested next.
 */
export function vectorColumn(elements: PlainNumbers, width: number): ColumnReader {
  const kept = new WeakMap<BatchColumn, Rows>();
  return {
    fill: async (column, slice, element) => {
      const { start, out } = slice;
      let rows = kept.get(column);
      if (rows?.start !== start || rows.count !== out.length) {
        rows = {
          start,
          count: out.length,
          decoded: decode(column, elements, width, start, out.length),
        };
        kept.set(column, rows);
      }
      return pickElement(await rows.decoded, element, width, slice);
    },
  };
}

interface Rows {
  readonly start: number;
  readonly count: number;
  readonly decoded: Promise<Decoded>;
}

/** Row after row. */
interface Decoded {
  readonly values: Float64Array;
  readonly missing: Uint8Array;
}

async function decode(
  column: BatchColumn,
  elements: PlainNumbers,
  width: number,
  start: number,
  count: number,
): Promise<Decoded> {
  const child = column.child(width);
  const { length } = await child.buffer(1);
  // Checked before memory is allocated for numbers that do not exist.
  if ((start + count) * width * elements.bitsPerRow > 8 * length) {
    throw column.damaged(`${length} bytes cannot hold lists of ${width}`, start + count - 1);
  }
  const lists = new Uint8Array(count);
  const missing = new Uint8Array(count * width);
  if ((await markMissing(column, start, lists)) > 0) {
    // The elements of a null list are not checked either.
    lists.forEach((mark, i) => {
      missing.fill(mark, i * width, (i + 1) * width);
    });
  }
  const values = new Float64Array(allocate(8 * count * width, column.damaged).buffer);
  await elements.fill(child, { start: start * width, out: values, missing });
  return { values, missing };
}

function pickElement(
  { values, missing: holes }: Decoded,
  element: number,
  width: number,
  { out, missing }: Slice,
): number {
  let absent = 0;
  for (let i = 0, k = element; i < out.length; i++, k += width) {
    const hole = holes[k]!;
    out[i] = hole === 1 ? 0 : values[k]!;
    missing[i] = hole;
    absent += hole;
  }
  return absent;
}
