import { dataError, refuse, requireInteger } from '../../errors.ts';
import type { DiscoverRequest, FillRequest, Frame, LevelRequest } from '../table/table.ts';
import type { Batch, BatchNames } from './batch.ts';
import { markMissing } from './missing.ts';
import type { Slice } from './plain.ts';
import type { ArrowSchema } from './schema.ts';

export interface FrameParts {
  readonly table: string;
  readonly schema: ArrowSchema;
  readonly wanted: ReadonlySet<number>;
  /** Opens the batch, whose columns are called in messages as it is told. */
  readonly open: (names: BatchNames) => Batch;
  /** The number of rows of the table before this frame. */
  readonly firstRow: number;
}

/** One record batch of a table as a frame, for the requested fields. */
export function openFrame({ table, schema, wanted, open, firstRow }: FrameParts): {
  readonly frame: Frame;
  /** After this the frame rejects all requests, because its memory may hold other rows. */
  retire(): void;
} {
  const { columns } = schema;
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

  const prepare = ({ field, element = 0, start, count, out, missing, lenient = false }: FillRequest) => {
    if (isRetired) refuse('a frame', 'be used before the next one is pulled', 'a request afterwards');
    const column = opened.get(field);
    if (column === undefined) return refuse('field', `be one of those requested (${[...wanted]})`, field);
    requireInteger('start', start, 0, batch.rows);
    requireInteger('count', count, 0, Math.min(batch.rows - start, out.length, missing.length));
    const { name, type } = columns[field]!;
    requireInteger('element', element, 0, type.width - 1);
    const slice: Slice = {
      start,
      out: out.subarray(0, count),
      missing: missing.subarray(0, count),
      lenient,
    };
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
    retire: () => {
      isRetired = true;
    },
  };
}
