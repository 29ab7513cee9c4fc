import { refuse, requireInteger } from '../../math/check.ts';
import type { Decompress } from '../codec/loadCodec.ts';
import { dataError } from '../dataError.ts';
import type { FillRequest, Frame } from '../table.ts';
import { levelBytes } from './byteLayout.ts';
import type { ChunkPlace } from './chunkPlace.ts';
import { type ColumnCursor, columnCursor } from './columnCursor.ts';
import type { ReadAt } from './fileWindow.ts';
import type { RowGroup } from './footer.ts';
import { guarded } from './guarded.ts';
import type { Layout } from './layout.ts';
import { pageReader } from './pageReader.ts';
import type { Column } from './schema.ts';

/** A column that was asked for, and its pages in the row group: null where its type is not supported. */
export interface ColumnPart {
  readonly column: Column;
  readonly chunk: (ChunkPlace & { readonly decompress: Decompress }) | null;
}

export interface FrameOptions {
  readonly table: string;
  readonly rowGroup: RowGroup;
  /** By the index of their field. */
  readonly parts: ReadonlyMap<number, ColumnPart>;
  readonly readAt: ReadAt;
}

/** A row group as a frame. */
export function rowGroupFrame({ table, rowGroup: { rows, firstRow }, parts, readAt }: FrameOptions): Frame {
  const cursors = new Map<number, { readonly levels: readonly string[]; readonly cursor: ColumnCursor }>();

  const partOf = (field: number): ColumnPart =>
    parts.get(field) ?? refuse('field', 'be one that frames() was asked for', field);

  const open = ({ column, chunk }: ColumnPart, layout: Layout): ColumnCursor => {
    const { start, end, decompress } = chunk!;
    const what = `${table}, column ${JSON.stringify(column.field.name)}`;
    return columnCursor({
      start,
      end,
      rows,
      pages: pageReader(readAt, end),
      decompress: (bytes, decodedLength) => decompress(bytes, decodedLength, what),
      highestLevel: column.highestLevel,
      values: { physical: column.physical!, layout },
    });
  };

  /** Cursors are kept: consecutive pieces of a column are the rule. */
  const fill = (
    request: FillRequest,
    part: ColumnPart,
    layout: () => Layout,
    levels: readonly string[],
  ): number => {
    const { field, start, count, out, missing } = request;
    requireInteger('start', start, 0, rows);
    requireInteger('count', count, 0, Math.min(rows - start, out.length, missing.length));
    let known = cursors.get(field);
    if (known === undefined || !isSame(known.levels, levels)) {
      known = { levels: [...levels], cursor: open(part, layout()) };
      cursors.set(field, known);
    }
    const { cursor } = known;
    return guarded({ table, column: part.column.field.name }, () => cursor.fill(start, count, out, missing));
  };

  return Object.freeze({
    rows,
    fill: (request: FillRequest) => {
      const part = partOf(request.field);
      const { layout, field } = part.column;
      const column = { table, column: field.name };
      if (layout === null) {
        const wayOut = field.kind === 'text' ? 'declare its levels' : 'leave it out';
        throw dataError(column, `is ${field.type}, which is not a number`, wayOut);
      }
      const absent = fill(request, part, () => layout, []);
      const odd = field.kind === 'exact' ? firstNaN(request.out, request.count) : -1;
      if (odd < 0) return absent;
      throw dataError(
        { ...column, row: firstRow + request.start + odd },
        'holds a number beyond 2^53, which a double cannot hold exactly',
        'store it as a double, if its last digits do not matter',
      );
    },
    fillLevels: (request: FillRequest & { readonly levels: readonly string[] }) => {
      const part = partOf(request.field);
      const { name, kind, type } = part.column.field;
      if (kind !== 'text') throw dataError({ table, column: name }, `is ${type}, which has no levels`);
      return fill(request, part, () => levelBytes(request.levels), request.levels);
    },
  });
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((level, i) => level === b[i]);

function firstNaN(values: Float64Array, count: number): number {
  for (let i = 0; i < count; i++) if (Number.isNaN(values[i])) return i;
  return -1;
}
