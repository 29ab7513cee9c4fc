import { bytesOf, type EncoderOptions, presence, type TableEncoder } from './tableEncoder.ts';
import { i32, i64, list, struct, type ThriftValue, text, varint } from './thriftWriter.ts';

/** A column of a Parquet file: its physical type by number, and what the schema says of it besides. */
export interface ParquetColumn {
  readonly name: string;
  readonly type: number;
  readonly nullable: boolean;
  /** Fields of its schema element, such as the logical type. */
  readonly said?: Readonly<Record<number, ThriftValue>>;
}

/** Rows of a column: how many, the values of those that have one, and where some may have none, a bit for each. */
export interface ParquetPage {
  readonly rows: number;
  readonly present: Uint8Array | null;
  readonly values: Uint8Array;
}

/**
 * Parquet in its simplest form: one row group per call and one page per column chunk, neither encoded nor compressed
 * (predictions are practically incompressible). The numbers are the field ids of parquet.thrift.
 */
export function parquetFile(columns: readonly ParquetColumn[], metadata: Readonly<Record<string, string>> = {}) {
  const groups: ThriftValue[] = [];
  const said = Object.entries(metadata).map(([key, value]) => struct({ 1: text(key), 2: text(value) }));
  let rows = 0;
  let position = MAGIC.length;

  return {
    begin: (): readonly Uint8Array[] => [MAGIC],
    encode: (pages: readonly ParquetPage[]): readonly Uint8Array[] => {
      const count = pages[0]!.rows;
      const start = position;
      const chunks = columns.map((column, j) => {
        const page = pageOf(pages[j]!);
        const size = page.reduce((sum, { length }) => sum + length, 0);
        const header = pageHeader(count, size);
        const metadata = chunkOf(column, count, position, header.length + size);
        position += header.length + size;
        return { pieces: [header, ...page], metadata };
      });
      groups.push(
        struct({
          1: list(chunks.map(({ metadata }) => metadata)),
          2: i64(position - start),
          3: i64(count),
        }),
      );
      rows += count;
      return chunks.flatMap(({ pieces }) => pieces);
    },
    end: (): readonly Uint8Array[] => {
      const footer = Buffer.from(
        struct({
          1: i32(1),
          2: list([struct({ 4: text('schema'), 5: i32(columns.length) }), ...columns.map(elementOf)]),
          3: i64(rows),
          4: list(groups),
          ...(said.length > 0 && { 5: list(said) }),
          6: text('sluice'),
        }).bytes,
      );
      const length = Buffer.alloc(4);
      length.writeInt32LE(footer.length);
      return [footer, length, MAGIC];
    },
  };
}

/** Columns of doubles, required unless values may be missing. */
export function parquetEncoder({ names, nullable, metadata = {} }: EncoderOptions): TableEncoder {
  const { begin, encode, end } = parquetFile(
    names.map(name => ({ name, type: DOUBLE, nullable })),
    metadata,
  );
  return {
    begin,
    encode: columns =>
      encode(
        columns.map(column => ({
          rows: column.length,
          present: nullable ? presence(column) : null,
          values: bytesOf(nullable ? column.filter(value => !Number.isNaN(value)) : column),
        })),
      ),
    end,
  };
}

const MAGIC = Buffer.from('PAR1');
const DOUBLE = 5;
const REQUIRED = 0;
const OPTIONAL = 1;
const PLAIN = 0;
const RLE = 3;
const UNCOMPRESSED = 0;
const DATA_PAGE = 0;

const elementOf = ({ name, type, nullable, said = {} }: ParquetColumn): ThriftValue =>
  struct({ 1: i32(type), 3: i32(nullable ? OPTIONAL : REQUIRED), 4: text(name), ...said });

/** The definition levels, one bit-packed run after their total length, and then the values that are present. */
function pageOf({ present, values }: ParquetPage): readonly Uint8Array[] {
  if (present === null) return [values];
  const run = varint(2 * present.length + 1);
  const head = Buffer.alloc(4 + run.length);
  head.writeInt32LE(run.length + present.length);
  head.set(run, 4);
  return [head, present, values];
}

const pageHeader = (count: number, size: number): Buffer =>
  Buffer.from(
    struct({
      1: i32(DATA_PAGE),
      2: i32(size),
      3: i32(size),
      // The encodings of levels must be given, although a required column has none.
      5: struct({ 1: i32(count), 2: i32(PLAIN), 3: i32(RLE), 4: i32(RLE) }),
    }).bytes,
  );

function chunkOf({ name, type }: ParquetColumn, count: number, position: number, size: number): ThriftValue {
  const bytes = i64(size);
  return struct({
    2: i64(position),
    3: struct({
      1: i32(type),
      2: list([i32(PLAIN)]),
      3: list([text(name)]),
      4: i32(UNCOMPRESSED),
      5: i64(count),
      6: bytes,
      7: bytes,
      9: i64(position),
    }),
  });
}
