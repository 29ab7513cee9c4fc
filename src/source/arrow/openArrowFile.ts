import { dataError } from '../../errors.ts';
import { gatheredReads } from '../../sample/shuffle/gatheredReads.ts';
import type { Table } from '../table/table.ts';
import { placeColumns } from './batch.ts';
import { type FlatTable, flatbuffer } from './flatbuffer.ts';
import { type Delivery, ipcTable } from './ipcTable.ts';
import {
  CONTINUATION,
  decodeBatch,
  decodeMessage,
  isBatch,
  isDictionary,
  type Message,
  MOST_METADATA,
  requireMetadataLength,
  requireVersion,
  unframe,
} from './message.ts';
import { type Damaged, damagedAt, fileRegion, openHandle, type Region } from './region.ts';
import { type ArrowSchema, decodeSchema } from './schema.ts';

/**
 * The Arrow IPC file format, also known as Feather version 2: a footer has the position of every record batch. Opening
 * reads the footer and the batches' metadata. Of the rows, only the bytes needed for a fill are read, and doubles go
 * directly to their destination.
 */
export async function openArrowFile(path: string): Promise<Table> {
  const damaged = damagedAt({ table: path });
  const { file, size, isRegular } = await openHandle(path);
  try {
    if (!isRegular) throw dataError({ table: path }, 'is not a file on disk', 'pipe it as an Arrow stream');
    const whole = fileRegion(gatheredReads(file), 0, size, damaged);
    const { schema, dictionaries, batches, content } = await readFooter(whole, damaged);
    const rows = await countRows(content, batches, schema, damaged);

    async function* deliver(blocks: readonly Block[], isExpected: (message: Message) => boolean) {
      for (const { from, length } of blocks) {
        const message = decode(await content.bytes(from, length), isExpected, damaged);
        yield { message, body: content.part(from + length, message.bodyLength) };
      }
    }
    async function* deliveries(): AsyncGenerator<Delivery> {
      yield* deliver(dictionaries, isDictionary);
      yield* deliver(batches, isBatch);
    }
    const close = (): Promise<void> => file.close();
    return ipcTable({ name: path, format: 'arrow-file', schema, rows, close }, deliveries);
  } catch (error) {
    await file.close();
    throw error;
  }
}

function decode(bytes: Uint8Array, isExpected: (message: Message) => boolean, damaged: Damaged): Message {
  const message = decodeMessage(unframe(bytes, damaged), damaged);
  if (isExpected(message)) return message;
  throw damaged('metadata is damaged: a message is not of the kind that the footer says');
}

/** Metadata of nearby batches are read together, so a file of 100,000 small ones opens in about a second. */
async function countRows(
  content: Region,
  batches: readonly Block[],
  schema: ArrowSchema,
  damaged: Damaged,
): Promise<number> {
  const extents = schema.columns.map(({ type }) => type.extent);
  let rows = 0;
  for (let first = 0; first < batches.length; ) {
    const { from, length } = batches[first]!;
    let after = first + 1;
    let end = from + length;
    for (; after < batches.length; after++) {
      const next = batches[after]!;
      const gap = next.from - end;
      if (gap < 0 || gap > NEAR || next.from + next.length - from > PIECE) break;
      end = next.from + next.length;
    }
    const bytes = await content.bytes(from, end - from);
    for (; first < after; first++) {
      const block = batches[first]!;
      const metadata = bytes.subarray(block.from - from, block.from - from + block.length);
      const header = decodeBatch(decode(metadata, isBatch, damaged).content, damaged);
      placeColumns(header, extents, damaged);
      rows += header.rows;
    }
  }
  return rows;
}

/** The number of bytes that can be read in the time that a separate read would take. */
const NEAR = 2 ** 16;
const PIECE = 2 ** 20;

interface Footer {
  readonly schema: ArrowSchema;
  readonly dictionaries: readonly Block[];
  readonly batches: readonly Block[];
  /** The file without its footer. */
  readonly content: Region;
}

/** The position of a message's metadata; the body follows. */
interface Block {
  readonly from: number;
  readonly length: number;
}

/**
 * Reads the end of a file: the footer, its length in four bytes, and the magic bytes that the file also begins with.
 */
async function readFooter(file: Region, damaged: Damaged): Promise<Footer> {
  if (file.length === 0) throw damaged('is empty');
  const start = Buffer.from(await file.bytes(0, Math.min(file.length, MAGIC.length)));
  if (start.toString('latin1') !== MAGIC) throw damaged(notAFile(start));
  const trailer = Math.min(file.length, TRAILER);
  const end = Buffer.from(await file.bytes(file.length - trailer, trailer));
  if (file.length < LEAST || end.toString('latin1', 4) !== MAGIC) {
    throw damaged(`does not end with ${MAGIC}: it was cut short, or is still being written`);
  }
  const length = end.readInt32LE(0);
  const from = file.length - TRAILER - length;
  if (length <= 0 || length > MOST_METADATA || from < HEAD) {
    throw damaged(`metadata is damaged: the footer claims ${length} bytes of ${file.length}`);
  }

  const footer = flatbuffer(await file.bytes(from, length), damaged);
  const version = requireVersion(footer.short(FOOTER.version), damaged);
  const schema = footer.table(FOOTER.schema);
  if (schema === undefined) throw damaged('metadata is damaged: the footer has no schema');
  return {
    schema: decodeSchema(schema, version, damaged),
    dictionaries: decodeBlocks(footer, FOOTER.dictionaries, damaged),
    batches: decodeBlocks(footer, FOOTER.batches, damaged),
    content: file.part(0, from),
  };
}

function decodeBlocks(footer: FlatTable, member: number, damaged: Damaged): Block[] {
  const blocks = footer.structs(member, 24);
  return Array.from({ length: blocks.count }, (_, k) => {
    const length = blocks.int(k, 8);
    requireMetadataLength(length, damaged);
    return { from: blocks.long(k, 0), length };
  });
}

function notAFile(start: Buffer): string {
  const isStream = start.length >= 4 && start.readInt32LE(0) === CONTINUATION;
  if (isStream) return 'is an Arrow stream, not an Arrow file; read it as a stream';
  const isOldFeather = start.toString('latin1', 0, 4) === 'FEA1';
  if (isOldFeather) return 'is a Feather file of version 1; write it again as version 2';
  return `does not begin with ${MAGIC}: it is not an Arrow file`;
}

const MAGIC = 'ARROW1';
/** The magic bytes, padded. */
const HEAD = 8;
/** The footer's length and the magic bytes. */
const TRAILER = 4 + MAGIC.length;
const LEAST = HEAD + TRAILER;

const FOOTER = { version: 0, schema: 1, dictionaries: 2, batches: 3 };
