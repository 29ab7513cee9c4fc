import type { Levels } from '../table/levels.ts';
import { rankBytes } from '../table/rankBytes.ts';
import type { BatchColumn } from './batchColumn.ts';
import { clearMissing } from './missing.ts';
import type { Plain, Slice } from './plain.ts';

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
