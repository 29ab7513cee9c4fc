import { dataError, refuse, requireInteger } from '../../errors.ts';
import type { Decompress } from '../codec/loadCodec.ts';
import { isAsMarked, type Levels, type LevelsMark, markOf } from '../table/levels.ts';
import type { DiscoverRequest, FillRequest, Frame, LevelRequest } from '../table/table.ts';
import { type ColumnCursor, columnCursor } from './columnCursor.ts';
import { type ColumnLayout, levelBytes, restOf } from './columnLayout.ts';
import type { Column } from './columns.ts';
import type { ChunkPlace, RowGroup } from './footer.ts';
import { guarded } from './guarded.ts';
import { pageReader, type ReadAt } from './page.ts';

/** A requested column, and its pages in the row group: null if its type is not supported. */
export interface ColumnPart {
  readonly column: Column;
  readonly chunk: (ChunkPlace & { readonly decompress: Decompress }) | null;
}

export interface FrameOptions {
  readonly table: string;
  readonly rowGroup: RowGroup;
  /** By field index. */
  readonly parts: ReadonlyMap<number, ColumnPart>;
  readonly readAt: ReadAt;
}

/** A row group whose columns are decompressed and decoded page by page, when a fill asks for their rows. */
export function rowGroupFrame({ table, rowGroup: { rows, firstRow }, parts, readAt }: FrameOptions): Frame {
  /** By field, or -1 - field for what rounding has changed. */
  const cursors = new Map<number, OpenCursor>();

  const partOf = (field: number): ColumnPart =>
    parts.get(field) ?? refuse('field', 'be one of those requested from frames()', field);

  const open = ({ column, chunk }: ColumnPart, layout: ColumnLayout): ColumnCursor => {
    const { start, end, decompress } = chunk!;
    const what = `${table}, column ${JSON.stringify(column.field.name)}`;
    // A page is no longer needed when the next is opened; its memory is reused.
    let spare: Uint8Array | undefined;
    return columnCursor({
      start,
      end,
      rows,
      pages: pageReader(readAt, end),
      decompress: (bytes, decodedLength) => {
        spare = decompress(bytes, decodedLength, what, spare);
        return spare;
      },
      highestLevel: column.highestLevel,
      values: { physical: column.physical!, layout },
    });
  };

  /** Cursors are kept, because columns are usually read in consecutive pieces. */
  const fill = (request: FillRequest, part: ColumnPart, layout: () => ColumnLayout, list: Levels): number => {
    const { field, start, count, out, missing, rest = false } = request;
    requireInteger('start', start, 0, rows);
    requireInteger('count', count, 0, Math.min(rows - start, out.length, missing.length));
    const key = rest ? -1 - field : field;
    const known = cursors.get(key);
    const cursor = known !== undefined && isAsMarked(list, known.mark) ? known.cursor : open(part, layout());
    const absent = guarded({ table, column: part.column.field.name }, () => cursor(start, count, out, missing));
    cursors.set(key, { cursor, mark: markOf(list) });
    return absent;
  };

  const fillLevels = (request: LevelRequest | DiscoverRequest): number => {
    const part = partOf(request.field);
    const { name, kind, type } = part.column.field;
    if (kind !== 'text') throw dataError({ table, column: name }, `is ${type}, which has no levels`);
    return fill(request, part, () => levelBytes(request), request);
  };

  return Object.freeze({
    rows,
    fill: (request: FillRequest) => {
      const part = partOf(request.field);
      const { layout, field } = part.column;
      const column = { table, column: field.name };
      if (layout === null) {
        const remedy = field.kind === 'text' ? 'declare its levels' : 'leave it out';
        throw dataError(column, `is ${field.type}, which is not a number`, remedy);
      }
      // Where they are is of no interest if there are none.
      if (request.nullsOnly && part.chunk!.nulls === 0) return 0;
      const ofRest = request.rest ? restOf(layout) : undefined;
      const absent = fill(request, part, () => ofRest ?? layout, NUMBERS);
      if (request.rest) {
        if (ofRest === undefined) request.out.fill(0, 0, request.count);
        return absent;
      }
      const isJudged = field.kind === 'exact' && !request.lenient;
      const odd = isJudged ? firstNaN(request.out, request.count) : -1;
      if (odd < 0) return absent;
      throw dataError({ ...column, row: firstRow + request.start + odd }, 'is a decimal without bytes', 'fix it');
    },
    fillLevels,
    discoverLevels: fillLevels,
  });
}

/** A cursor reads numbers, or the ranks of texts among levels. */
interface OpenCursor {
  readonly cursor: ColumnCursor;
  readonly mark: LevelsMark;
}

const NUMBERS: Levels = { levels: [] };

function firstNaN(values: Float64Array, count: number): number {
  for (let i = 0; i < count; i++) if (Number.isNaN(values[i])) return i;
  return -1;
}
