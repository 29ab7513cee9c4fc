/**
 * Parquet in its plainest form: required columns of doubles, a row group per call and a page per column chunk, neither encoded nor compressed
 * (predictions have no two digits in common). The numbers are those of the fields in parquet.thrift.
 */
import { bytesOf, type TableEncoder } from './tableEncoder.ts';
import { i32, i64, list, struct, type ThriftValue, text } from './thrift.ts';

export function parquetEncoder(names: readonly string[]): TableEncoder {
  const groups: ThriftValue[] = [];
  let rows = 0;
  let position = MAGIC.length;

  return {
    begin: () => [MAGIC],
    encode: columns => {
      const count = columns[0]!.length;
      const start = position;
      const chunks = columns.map((column, j) => {
        const header = pageHeader(count);
        const chunk = {
          header,
          values: bytesOf(column),
          metadata: chunkOf(names[j]!, count, position, header),
        };
        position += header.length + column.byteLength;
        return chunk;
      });
      groups.push(
        struct({
          1: list(chunks.map(({ metadata }) => metadata)),
          2: i64(position - start),
          3: i64(count),
        }),
      );
      rows += count;
      return chunks.flatMap(({ header, values }) => [header, values]);
    },
    end: () => {
      const footer = Buffer.from(
        struct({
          1: i32(1),
          2: list([struct({ 4: text('schema'), 5: i32(names.length) }), ...names.map(fieldOf)]),
          3: i64(rows),
          4: list(groups),
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
const PLAIN = i32(0);
const RLE = i32(3);
const UNCOMPRESSED = i32(0);
const DATA_PAGE = i32(0);

const fieldOf = (name: string): ThriftValue => struct({ 1: DOUBLE, 3: REQUIRED, 4: text(name) });

const pageHeader = (count: number): Buffer =>
  Buffer.from(
    struct({
      1: DATA_PAGE,
      2: i32(8 * count),
      3: i32(8 * count),
      // The encodings of levels must be named, though a required column has none.
      5: struct({ 1: i32(count), 2: PLAIN, 3: RLE, 4: RLE }),
    }).bytes,
  );

function chunkOf(name: string, count: number, position: number, header: Buffer): ThriftValue {
  const bytes = i64(header.length + 8 * count);
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
