import { type FlatTable, flatbuffer } from './flatbuffer.ts';
import { CONTINUATION, MOST_METADATA, requireMetadataLength, requireVersion } from './message.ts';
import type { Damaged, Region } from './region.ts';
import { type ArrowSchema, decodeSchema } from './schema.ts';

export interface Footer {
  readonly schema: ArrowSchema;
  readonly dictionaries: readonly Block[];
  readonly batches: readonly Block[];
  /** The file without its footer. */
  readonly content: Region;
}

/** The position of a message's metadata; the body follows. */
export interface Block {
  readonly from: number;
  readonly length: number;
}

/**
 * Reads the end of a file: the footer, its length in four bytes, and the magic bytes that the file also begins with.
 */
export async function readFooter(file: Region, damaged: Damaged): Promise<Footer> {
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
