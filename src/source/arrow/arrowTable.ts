import { dataError, refuse, requireInteger } from '../../errors.ts';
import type { DiscoverRequest, Field, FillRequest, Frame, LevelRequest, Table } from '../table/table.ts';
import type { Batch, BatchNames } from './batch.ts';
import { markMissing } from './plain.ts';
import type { ArrowColumn, ArrowSchema } from './schema.ts';

/** Opens a batch, whose columns are called in messages as it is told. */
export type OpenBatch = (names: BatchNames) => Batch;

/** What is known of a table before its batches are read. */
export type ArrowTableParts = Pick<Table, 'name' | 'format' | 'rows' | 'close'> & { readonly schema: ArrowSchema };

/** A table of Arrow columns, whose batches come from anywhere: one frame for each. */
export function arrowTable(
  { schema: { columns }, ...parts }: ArrowTableParts,
  batches: (wanted: ReadonlySet<number>) => AsyncIterable<OpenBatch>,
): Table {
  async function* frames(wanted: ReadonlySet<number>): AsyncGenerator<Frame> {
    let firstRow = 0;
    for await (const open of batches(wanted)) {
      const { frame, retire } = openFrame({ table: parts.name, columns, wanted, open, firstRow });
      try {
        yield frame;
      } finally {
        retire();
      }
      firstRow += frame.rows;
    }
  }
  return Object.freeze({
    ...parts,
    fields: Object.freeze(columns.map(fieldOf)),
    frames: (fields: readonly number[]) => {
      for (const field of fields) requireInteger('fields', field, 0, columns.length - 1);
      return frames(new Set(fields));
    },
  });
}

const fieldOf = ({ name, type: { kind, width, name: type } }: ArrowColumn): Field =>
  Object.freeze({ name, kind, type, width });

interface FrameParts {
  readonly table: string;
  readonly columns: readonly ArrowColumn[];
  readonly wanted: ReadonlySet<number>;
  readonly open: OpenBatch;
  /** The number of rows of the table before this frame. */
  readonly firstRow: number;
}

/** One record batch of a table as a frame, for the requested fields. */
function openFrame({ table, columns, wanted, open, firstRow }: FrameParts) {
  const batch = open({
    nameOf: column => `${table}, column ${JSON.stringify(columns[column]!.name)}`,
    damaged: (problem, column, row) =>
      dataError(
        {
          table,
          ...(column === undefined ? {} : { column: columns[column]!.name }),
          ...(row === undefined ? {} : { row: firstRow + row }),
        },
        problem,
      ),
  });
  const opened = new Map([...wanted].map(index => [index, batch.column(index)]));
  let isRetired = false;

  const prepare = ({ field, element = 0, start, count, out, missing, rest = false }: FillRequest) => {
    if (isRetired) refuse('a frame', 'be used before the next one is pulled', 'a request afterwards');
    const column = opened.get(field);
    if (column === undefined) return refuse('field', `be one of those requested (${[...wanted]})`, field);
    requireInteger('start', start, 0, batch.rows);
    requireInteger('count', count, 0, Math.min(batch.rows - start, out.length, missing.length));
    const { name, type } = columns[field]!;
    requireInteger('element', element, 0, type.width - 1);
    const slice = { start, out: out.subarray(0, count), missing: missing.subarray(0, count), rest };
    return { column, name, type, slice, element };
  };

  const fillLevels = async (request: LevelRequest | DiscoverRequest): Promise<number> => {
    const { column, name, type, slice } = prepare(request);
    if (type.reader.fillLevels === undefined) {
      throw dataError({ table, column: name }, `type ${type.name} is not text`, 'declare levels only for text columns');
    }
    return request.count === 0 ? 0 : type.reader.fillLevels(column, slice, request);
  };

  const frame: Frame = Object.freeze({
    rows: batch.rows,
    fill: async (request: FillRequest) => {
      const { column, name, type, slice, element } = prepare(request);
      if (type.reader.fill === undefined) {
        throw dataError(
          { table, column: name },
          `type ${type.name} is not numeric`,
          type.kind === 'text' ? 'declare the levels of the text' : 'leave the column out, or write it as numbers',
        );
      }
      if (request.count === 0) return 0;
      return request.nullsOnly
        ? markMissing(column, slice.start, slice.missing)
        : type.reader.fill(column, slice, element);
    },
    fillLevels,
    discoverLevels: fillLevels,
  });
  return {
    frame,
    /** After this the frame rejects all requests, because its memory may hold other rows. */
    retire: (): void => {
      isRetired = true;
    },
  };
}
