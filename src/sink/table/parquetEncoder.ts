import { bytesOf, type EncoderOptions, presence, type TableEncoder } from './tableEncoder.ts';
import { i32, i64, list, struct, type ThriftValue, text, varint } from './thriftWriter.ts';

/**
 * Parquet in its simplest form: columns of doubles, required unless values may be missing, with one row group per call
 * and one page per column chunk, neither encoded nor compressed (predictions are practically incompressible). The
 * numbers are the field ids of parquet.thrift.
 */
export function parquetEncoder({ names, nullable, metadata = {} }: EncoderOptions): TableEncoder {
  const groups: ThriftValue[] = [];
  const said = Object.entries(metadata).map(([key, value]) => struct({ 1: text(key), 2: text(value) }));
  let rows = 0;
  let position = MAGIC.length;

  return {
    begin: () => [MAGIC],
    encode: columns => {
      const count = columns[0]!.length;
      const start = position;
      const chunks = columns.map((column, j) => {
        const page = nullable ? optionalPage(column) : [bytesOf(column)];
        const size = page.reduce((sum, { length }) => sum + length, 0);
        const header = pageHeader(count, size);
        const metadata = chunkOf(names[j]!, count, position, header.length + size);
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
    end: () => {
      const footer = Buffer.from(
        struct({
          1: i32(1),
          2: list([struct({ 4: text('schema'), 5: i32(names.length) }), ...names.map(name => fieldOf(name, nullable))]),
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

const MAGIC = Buffer.from('PAR1');
const DOUBLE = i32(5);
const REQUIRED = i32(0);
const OPTIONAL = i32(1);
const PLAIN = i32(0);
const RLE = i32(3);
const UNCOMPRESSED = i32(0);
const DATA_PAGE = i32(0);

const fieldOf = (name: string, nullable: boolean): ThriftValue =>
  struct({ 1: DOUBLE, 3: nullable ? OPTIONAL : REQUIRED, 4: text(name) });

/** The definition levels, one bit-packed run after their total length, and then the values that are present. */
function optionalPage(column: Float64Array): readonly Uint8Array[] {
  const bits = presence(column);
  const run = varint(2 * bits.length + 1);
  const head = Buffer.alloc(4 + run.length);
  head.writeInt32LE(run.length + bits.length);
  head.set(run, 4);
  return [head, bits, bytesOf(column.filter(value => !Number.isNaN(value)))];
}

const pageHeader = (count: number, size: number): Buffer =>
  Buffer.from(
    struct({
      1: DATA_PAGE,
      2: i32(size),
      3: i32(size),
      // The encodings of levels must be given, although a required column has none.
      5: struct({ 1: i32(count), 2: PLAIN, 3: RLE, 4: RLE }),
    }).bytes,
  );

function chunkOf(name: string, count: number, position: number, size: number): ThriftValue {
  const bytes = i64(size);
  return struct({
    2: i64(position),
    3: struct({
      1: DOUBLE,
      2: list([PLAIN]),
      3: list([text(name)]),
      4: UNCOMPRESSED,
      5: i64(count),
      6: bytes,
      7: bytes,
      9: i64(position),
    }),
  });
}
