/**
 * The Arrow file format: magic letters, messages (a schema, then record batches), and a footer that says where the batches are. The metadata come
 * from apache-arrow; the framing is our own, because its writers queue whole files in memory when the disk is slower.
 */
import { Field, Float64, Message, MetadataVersion, Schema } from 'apache-arrow';
import { FileBlock, Footer } from 'apache-arrow/ipc/metadata/file';
import { BufferRegion, FieldNode, RecordBatch } from 'apache-arrow/ipc/metadata/message';
import { bytesOf, type TableEncoder } from './tableEncoder.ts';

export function arrowEncoder(names: readonly string[]): TableEncoder {
  const schema = new Schema(names.map(name => new Field(name, new Float64(), false)));
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
      const bodyLength = 8 * rows * columns.length;
      const nodes = columns.map(() => new FieldNode(rows, 0));
      // A column without nulls has an empty bitmap before its values.
      const regions = columns.flatMap((_, j) => [
        new BufferRegion(8 * rows * j, 0),
        new BufferRegion(8 * rows * j, 8 * rows),
      ]);
      const metadata = framed(Message.from(new RecordBatch(rows, nodes, regions, null), bodyLength));
      blocks.push(new FileBlock(metadata.length, bodyLength, position));
      position += metadata.length + bodyLength;
      return [metadata, ...columns.map(bytesOf)];
    },
    end: () => {
      const footer = Footer.encode(new Footer(schema, MetadataVersion.V5, blocks, []));
      const lengths = Buffer.alloc(4);
      lengths.writeInt32LE(footer.length);
      return [END_OF_STREAM, footer, lengths, Buffer.from(MAGIC)];
    },
  };
}

/** A message's metadata behind a continuation mark and their length, padded so that what follows is aligned to 8 bytes. */
function framed(message: Message): Uint8Array {
  const metadata = Message.encode(message);
  const frame = Buffer.alloc(8 + Math.ceil(metadata.length / 8) * 8);
  frame.writeInt32LE(-1, 0);
  frame.writeInt32LE(frame.length - 8, 4);
  frame.set(metadata, 8);
  return frame;
}

const MAGIC = 'ARROW1';
const END_OF_STREAM = Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);
