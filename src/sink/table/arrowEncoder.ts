import { Field, Float64, Message, MetadataVersion, Schema } from 'apache-arrow';
import { FileBlock, Footer } from 'apache-arrow/ipc/metadata/file';
import { BufferRegion, FieldNode, RecordBatch } from 'apache-arrow/ipc/metadata/message';
import { bytesOf, type EncoderOptions, presence, type TableEncoder } from './tableEncoder.ts';

/**
 * The Arrow file format: magic bytes, messages (a schema, then record batches), and a footer with the positions of the
 * batches. The metadata come from apache-arrow. The framing is written here, because apache-arrow's writers queue whole
 * files in memory if the disk is slower.
 */
export function arrowEncoder({ names, nullable, metadata = {} }: EncoderOptions): TableEncoder {
  const schema = new Schema(
    names.map(name => new Field(name, new Float64(), nullable)),
    new Map(Object.entries(metadata)),
  );
  const blocks: FileBlock[] = [];
  let position = 0;

  return {
    begin: () => {
      const pieces = [Buffer.from(`${MAGIC}\0\0`), framed(Message.from(schema))];
      position = pieces.reduce((sum, { length }) => sum + length, 0);
      return pieces;
    },
    encode: columns => {
      const rows = columns[0]!.length;
      const nodes = columns.map(column => new FieldNode(rows, nullable ? missingIn(column) : 0));
      const bitmaps = columns.map((column, j) => (nodes[j]!.nullCount > 0 ? aligned(presence(column)) : NOTHING));
      let bodyLength = 0;
      const region = (length: number): BufferRegion => {
        bodyLength += length;
        return new BufferRegion(bodyLength - length, length);
      };
      // A column without nulls has an empty bitmap before its values.
      const regions = bitmaps.flatMap(bitmap => [region(bitmap.length), region(8 * rows)]);
      const metadata = framed(Message.from(new RecordBatch(rows, nodes, regions, null), bodyLength));
      blocks.push(new FileBlock(metadata.length, bodyLength, position));
      position += metadata.length + bodyLength;
      return [metadata, ...columns.flatMap((column, j) => [bitmaps[j]!, bytesOf(column)])];
    },
    end: () => {
      const footer = Footer.encode(new Footer(schema, MetadataVersion.V5, blocks, []));
      const lengths = Buffer.alloc(4);
      lengths.writeInt32LE(footer.length);
      return [END_OF_STREAM, footer, lengths, Buffer.from(MAGIC)];
    },
  };
}

/**
 * A message's metadata, preceded by a continuation marker and their length, and padded so that the body is 8-byte
 * aligned.
 */
function framed(message: Message): Uint8Array {
  const metadata = Message.encode(message);
  const frame = Buffer.alloc(8 + Math.ceil(metadata.length / 8) * 8);
  frame.writeInt32LE(-1, 0);
  frame.writeInt32LE(frame.length - 8, 4);
  frame.set(metadata, 8);
  return frame;
}

const missingIn = (column: Float64Array): number =>
  column.reduce((sum, value) => (Number.isNaN(value) ? sum + 1 : sum), 0);

/** Padded with zeros to a multiple of 8 bytes, where the values begin. */
function aligned(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil(bytes.length / 8) * 8);
  padded.set(bytes);
  return padded;
}

const NOTHING = new Uint8Array(0);
const MAGIC = 'ARROW1';
const END_OF_STREAM = Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);
